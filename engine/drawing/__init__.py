"""Pictures drawn by a process that lives for one of them: `python -m engine.drawing`. Nothing here is for others."""
