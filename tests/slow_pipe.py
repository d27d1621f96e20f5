"""A ProxyCommand that holds back each direction of a connection by a fixed time, as a far server does.

Usage: ssh -o ProxyCommand='python slow_pipe.py HOST PORT MS' ...
"""

from __future__ import annotations

import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable


def _hold_back(read: Callable[[], bytes], write: Callable[[bytes], object], delay_s: float) -> None:
    waiting: queue.Queue[tuple[float, bytes]] = queue.Queue()

    def send() -> None:
        while True:
            due, data = waiting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            write(data)
            if not data:
                return

    threading.Thread(target=send, daemon=True).start()
    while True:
        data = read()
        waiting.put((time.monotonic() + delay_s, data))
        if not data:
            return


def main() -> int:
    """Join stdin and stdout to a port of this machine, late."""
    host, port, delay_s = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) / 1e3
    line = socket.create_connection((host, port))

    def up(data: bytes) -> None:
        if data:
            line.sendall(data)
        else:
            line.shutdown(socket.SHUT_WR)

    def down(data: bytes) -> None:
        if data:
            os.write(1, data)
        else:
            os._exit(0)

    threading.Thread(target=_hold_back, args=(lambda: os.read(0, 65536), up, delay_s), daemon=True).start()
    _hold_back(lambda: line.recv(65536), down, delay_s)
    time.sleep(delay_s + 0.1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
