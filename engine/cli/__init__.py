"""The commands without a screen: stdout is data, stderr is talk, every error is one sentence."""

from engine.cli.run import main

__all__ = ["main"]
