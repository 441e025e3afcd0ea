"""Scripts run in processes of their own that need not import torch: forked from one that has.

    nursery = Nursery()
    done = nursery.run(["train.py", "--epochs", "2"], env, timeout)
    nursery.close()

Importing torch and what its optimizers bring along takes three seconds of a core, a script of a
test often less than one. What depends on how a process begins or ends (the order of imports, -m,
options of the interpreter, launchers, its last moments) is not for this.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

QUIET = {"PYTHONWARNINGS": "ignore:This process:DeprecationWarning"}
"""Since 3.12 Python warns of a fork beside any thread, the agent's included."""


Start = Callable[[list[str], dict[str, str], float], subprocess.CompletedProcess[str]]
"""Runs a command line of Python's in an environment, for so many seconds at most."""


def interpreter(
    command: list[str], env: dict[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """The same by an interpreter of its own, from its start to its end."""
    return subprocess.run(
        [sys.executable, *command],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


class Nursery:
    """The process with torch. Scripts may run side by side."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gw")
        self._path = f"{self._folder.name}/door"
        self._process = subprocess.Popen(
            [sys.executable, __file__, self._path],
            env=os.environ | QUIET | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == b"open\n"

    def run(
        self,
        command: list[str],
        env: dict[str, str],
        timeout: float,
        *,
        folder: Path | None = None,
        first: str = "",
    ) -> subprocess.CompletedProcess[str]:
        """As `python` with that command line would in that folder, but for the imports: `first` is
        a module's name.
        """
        with tempfile.TemporaryDirectory(dir=self._folder.name) as words, self._call() as call:
            out, err = Path(words, "out"), Path(words, "err")
            call.settimeout(timeout)
            said = call.makefile("rw")
            settings = (env, str(folder or Path.cwd()), str(out), str(err))
            json.dump([command, first, *settings], said)
            print(file=said, flush=True)
            pid = int(said.readline())
            try:
                code = int(said.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(command, timeout) from None
            return subprocess.CompletedProcess(command, code, out.read_text(), err.read_text())

    def _call(self) -> socket.socket:
        call = socket.socket(socket.AF_UNIX)
        call.connect(self._path)
        return call

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def _serve(path: str) -> tuple[list[str], str]:
    """Forks for each call; returns in the children, with the command line that is theirs and what
    to import before.
    """
    door = socket.socket(socket.AF_UNIX)
    door.bind(path)
    door.listen()
    watch = selectors.DefaultSelector()
    watch.register(door, selectors.EVENT_READ)
    print("open", flush=True)
    while True:
        for key, _ in watch.select():
            if key.fileobj is not door:
                watch.unregister(key.fileobj)
                os.close(key.fd)
                pid, call = key.data
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with contextlib.suppress(BrokenPipeError):  # nobody waited so long
                    call.send(b"%d\n" % code)
                call.close()
                continue
            call, _ = door.accept()
            command, first, *settings = json.loads(call.makefile().readline())
            if (pid := os.fork()) == 0:
                for each in list(watch.get_map().values()):
                    os.close(each.fd)
                watch.close()
                call.close()
                _become(*settings)
                return command, first
            call.send(b"%d\n" % pid)
            watch.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, call))


def _become(env: dict[str, str], folder: str, out: str, err: str) -> None:
    """A process with that environment, whose words go to these files."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    for number, path in ((0, os.devnull), (1, out), (2, err)):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)


def _end(code: int) -> None:
    """As an interpreter ends, but that it takes nothing apart: with torch that is a second."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _code_of(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    print(end.code, file=sys.stderr)
    return 1


if __name__ == "__main__":
    import torch._dynamo  # which an optimizer's first step would import

    # What the agent would, and what of itself it loads when training begins.
    for _library in ("msgspec", "psutil", "pynvml", "zmq", "gradwatch_agent.loop.lane"):
        importlib.import_module(_library)

    if _device := os.environ.get("TEST_DEVICE"):
        torch.set_default_device(_device)

    gc.freeze()  # no child's collector is to walk, and so to copy, what is here already
    sys.argv, _first = _serve(sys.argv[1])
    _module = sys.argv.pop(1) if sys.argv[0] == "-m" else ""
    sys.path[0] = str(Path.cwd() if _module else Path(sys.argv[0]).parent)
    sys.modules["__main__"] = ModuleType("__main__")
    sys.modules["__main__"].__file__ = sys.argv[0]
    try:  # at the outermost level, as the interpreter would
        if _first:
            importlib.import_module(_first)
        if _module:
            runpy._run_module_as_main(_module)  # what the interpreter calls
            _end(0)
        exec(
            compile(Path(sys.argv[0]).read_bytes(), sys.argv[0], "exec", dont_inherit=True),
            vars(sys.modules["__main__"]),
        )
    except SystemExit as end:
        _end(_code_of(end))
    except BaseException:  # noqa: BLE001  - whatever it was, the process ends with it
        sys.excepthook(*sys.exc_info())
        _end(1)
    _end(0)
