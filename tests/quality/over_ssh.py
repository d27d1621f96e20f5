"""Do a reader's tasks by keys alone, over ssh to this machine inside tmux, each direction 150 ms late.

A server of its own on a free loopback port, with keys made for the run; nothing of the user's ssh is read.
Prints a line a task: what was done, whether the screen showed what it should, and the seconds from the
last key to that. Needs openssh-server, tmux and root or a user who may log in to himself.

The tasks are those of `over_ssh_tasks`: reading, or asking, which needs the model server of the shared tools.

Usage: python tests/quality/over_ssh.py [reading|asking] [DELAY_MS] [COLUMNSxROWS ...]
"""

from __future__ import annotations

import getpass
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.quality.over_ssh_tasks import ASKING, READING, Task
from tests.serving import start_model_server

_PROGRAM = Path(sys.executable).with_name("understory")
_PIPE = Path(__file__).resolve().parents[1] / "slow_pipe.py"
_TIMEOUT_S = 12.0


class Line:
    """tmux, ssh, a slow wire, and the reader at its end."""

    def __init__(self, folder: Path, delay_ms: int, size: tuple[int, int]) -> None:
        self._folder = folder
        self._socket = f"understory-ssh-{os.getpid()}"
        self._port = _free_port()
        self._server = self._start_server()
        command = f"UNDERSTORY_HOME={folder}/home TERM=tmux-256color {_PROGRAM}"
        proxy = f"{sys.executable} {_PIPE} 127.0.0.1 {self._port} {delay_ms}"
        self._ssh = (
            f"ssh -tt -F none -i {folder}/key -p {self._port} -o StrictHostKeyChecking=no"
            " -o UserKnownHostsFile=/dev/null"
            f" -o LogLevel=ERROR -o ProxyCommand='{proxy}' {getpass.getuser()}@127.0.0.1 '{command} %s';"
            ' echo left at "the prompt"'  # quoted, so that the command typed is not taken for what it prints
        )
        columns, rows = map(str, size)
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, "sh")
        self._tmux("set", "status", "off")

    def _start_server(self) -> subprocess.Popen[bytes]:
        for name in ("key", "host"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self._folder / name], check=True)
        shutil.copy(self._folder / "key.pub", self._folder / "authorized_keys")
        config = self._folder / "sshd_config"
        config.write_text(
            f"Port {self._port}\nListenAddress 127.0.0.1\nHostKey {self._folder}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {self._folder}/authorized_keys\nStrictModes no\nPasswordAuthentication no\n"
            "PermitRootLogin yes\n",
            encoding="ascii",
        )
        sshd = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin") or "/usr/sbin/sshd"
        Path("/run/sshd").mkdir(exist_ok=True)
        server = subprocess.Popen([sshd, "-D", "-e", "-f", config], stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        return server

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-L", self._socket, *words], capture_output=True, text=True, check=False)
        return done.stdout

    def start(self, arguments: str) -> None:
        """Log in and start the reader."""
        self._tmux("send-keys", "-l", self._ssh % arguments)
        self._tmux("send-keys", "Enter")

    def press(self, keys: tuple[str, ...]) -> None:
        """Type."""
        for key in keys:
            if key.startswith("="):
                self._tmux("send-keys", "-l", key[1:])
            else:
                self._tmux("send-keys", key)

    def screen(self) -> str:
        """Return what the pane shows."""
        return self._tmux("capture-pane", "-p")

    def wait(self, task: Task) -> float | None:
        """Wait until the screen is as the task wants it; return the seconds, None when it never was."""
        started = time.monotonic()
        while time.monotonic() - started < _TIMEOUT_S:
            text = self.screen()
            if re.search(task.shown, text) and not (task.gone and re.search(task.gone, text)):
                return time.monotonic() - started
            time.sleep(0.02)
        return None

    def close(self) -> None:
        """End tmux and the server."""
        self._tmux("kill-server")
        self._server.terminate()
        self._server.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _do(tasks: Sequence[Task], delay_ms: int, size: tuple[int, int], *, is_asking: bool) -> int:
    """Do the tasks in a home of their own; return the number that did not work."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        home = {**os.environ, "UNDERSTORY_HOME": f"{folder}/home"}
        subprocess.run([_PROGRAM, "import", "--samples"], env=home, check=True, stdout=subprocess.DEVNULL)
        if is_asking:
            url = start_model_server().url
            for words in (("add", "local", "--url", url, "--model", "echo"), ("use", "companion", "local")):
                subprocess.run([_PROGRAM, "models", *words], env=home, check=True, stdout=subprocess.DEVNULL)
        line = Line(Path(folder), delay_ms, size)
        try:
            line.start("Ashfall")
            for number, task in enumerate(tasks, 1):
                line.press(task.keys)
                if number > 1 and not task.keys:
                    line.start("")
                took = line.wait(task)
                failures += took is None
                print(f"{number:2}  {task.words:40} {'FAILED' if took is None else f'{took:5.2f} s'}", flush=True)
                if took is None:
                    print(line.screen())
                time.sleep(0.4)
        finally:
            line.close()
    print(f"{len(tasks)} tasks at {delay_ms} ms each way, {size[0]}x{size[1]}: {failures} failed", flush=True)
    return failures


def main() -> int:
    """Do the tasks at each size; return the number that did not work."""
    if shutil.which("tmux") is None or not (shutil.which("sshd") or Path("/usr/sbin/sshd").exists()):
        print("skipped: tmux and openssh-server are needed")
        return 0
    words = sys.argv[1:]
    is_asking = "asking" in words
    delays = [int(word) for word in words if word.isdecimal()]
    sizes = [(int(found[1]), int(found[2])) for word in words if (found := re.fullmatch(r"(\d+)x(\d+)", word))]
    tasks = ASKING if is_asking else READING
    delay_ms = delays[0] if delays else 150
    failed = 0
    for size in sizes or [(80, 24), (160, 50)]:
        amiss = _do(tasks, delay_ms, size, is_asking=is_asking)
        if amiss:  # on a busy machine a key may come seconds late; what is wrong is wrong again
            print("once more:")
            amiss = _do(tasks, delay_ms, size, is_asking=is_asking)
        failed += amiss
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
