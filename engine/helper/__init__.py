"""The second process: import and other long work, niced, beside the process that draws.

`python -m engine.helper CONFIG DATA STATE` works through the library's jobs as long as its
standard input stays open; the process that started it holds the other end. With `--alone` it
goes on until all is done, whoever has left; with `--estimate` it only reckons and ends. Of several
such processes on one library the holder of the lease works and the others wait. Only the client
half is for `engine.library`; everything heavy is imported by the worker.
"""

from engine.helper.child import end_process, start_process
from engine.helper.client import HelperClient, ask_estimate, start_alone
from engine.helper.log import log_failure
from engine.helper.owner import is_alive, this_process

__all__ = [
    "HelperClient",
    "ask_estimate",
    "end_process",
    "is_alive",
    "log_failure",
    "start_alone",
    "start_process",
    "this_process",
]
