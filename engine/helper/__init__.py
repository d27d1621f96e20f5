"""The second process: import and other long work, niced, beside the process that draws.

`python -m engine.helper CONFIG DATA STATE` works through the library's jobs as long as its
standard input stays open; the process that started it holds the other end. With `--alone` it
goes on until all is done, whoever has left; with `--estimate` it only reckons and ends. Of several
such processes on one library the holder of the lease works and the others wait. Only the client
half is for `engine.library`; everything heavy is imported by the worker.
"""

from engine.helper.client import HelperClient, ask_estimate, start_alone
from engine.helper.log import folder_arguments, log_failure, open_log
from engine.helper.owner import is_alive, this_process

__all__ = [
    "HelperClient",
    "ask_estimate",
    "folder_arguments",
    "is_alive",
    "log_failure",
    "open_log",
    "start_alone",
    "this_process",
]
