"""Language models and embedders, behind types of our own; the only room that knows `llm`."""
