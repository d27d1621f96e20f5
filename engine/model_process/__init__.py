"""The process that talks to models for whoever reads: tests of models and whatever the library has it serve.

`python -m engine.model_process CONFIG DATA STATE` reads requests from its standard input and
writes what happens to its standard output, a JSON object a line, until its input is closed or
nobody has asked anything for two minutes. Importing `llm` holds the interpreter for half a
second and takes 40 MB, so the process that draws never does it: only the client half
(`ModelProcess`) is for `engine.library`.

    → {"id": 1, "do": "test", "with": {"model": "qwen"}}
    ← {"id": 1, "taken": true}
    ← {"id": 1, "event": {"step": "tools"}}
    ← {"id": 1, "result": {...}}            or    {"id": 1, "error": {"kind", "title", "message", "host", "partial"}}
    → {"cancel": 1}
"""
