"""Puts the agent into a process that runs already, at a point where Python may be called.

Owns the ways in: Python's own (3.14 on both sides), else gdb. Either only leaves a request; the
process itself serves it between two bytecodes of its main thread, so that training is never
stopped in the middle of something. Must not know what the agent does there.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SAFE_POINT_S: Final = 15.0
"""How long the main thread may stay outside of Python, and the agent's imports take."""

_LOOK_S: Final = 0.05
_GDB_S: Final = 120.0
"""To read the symbols of a process with all of torch in it; half a second where they are cached."""

_NOTHING: Final = Path(os.devnull)
"""A program that does nothing: takes the place of a request that Python still holds when we leave,
which would otherwise look for its file in vain, and say so on the script's stderr. What gdb left
is silent by itself."""

_NO_PYTHON: Final = ("Py_AddPendingCall", "PyRun_SimpleString", "No symbol table is loaded")
"""What gdb says of a process that has no such functions, or no names of functions at all."""

_REGISTERS: Final = "Couldn't write extended state status"
"""What gdb says where it cannot put back the registers of a process."""

_ROOM: Final = (
    "((void *(*)(void *, unsigned long, int, int, int, long)) mmap)(0, 4096, 3, 0x22, -1, 0)"
)
"""A call of gdb's that gives a page of memory in the process."""

_PROGRAM: Final = """\
import os, sys
def enter():
    os.environ["GRADWATCH_ATTACHED"] = "1"
    try:
        if "torch" not in sys.modules:
            return "it has not imported torch"
        import gradwatch_agent
        return "" if gradwatch_agent.watch().running else "the agent is switched off there"
    except ModuleNotFoundError as error:
        return f"{{sys.executable}} has no module {{error.name}} (pip install gradwatch there)"
    finally:
        os.environ.pop("GRADWATCH_ATTACHED", None)
try:
    said = enter()
except BaseException as error:
    said = f"{{type(error).__name__}}: {{error}}"
with open({draft!r}, "w") as file:
    file.write(said)
os.replace({draft!r}, {answer!r})
"""


class CannotEnter(Exception):
    """Why the agent could not be put there; one sentence."""


def enter(pid: int) -> None:
    """Returns when the agent is in. Raises `CannotEnter`."""
    with _folder(pid) as folder:
        program, answer = folder / "enter.py", folder / "answer"
        program.write_text(_PROGRAM.format(draft=str(folder / "draft"), answer=str(answer)))
        program.chmod(0o644)
        if not _left_by_python(pid, program):
            _leave_by_gdb(pid, program)
        until = time.monotonic() + _SAFE_POINT_S
        while not answer.exists():
            if time.monotonic() > until:
                _left_by_python(pid, _NOTHING)
                raise CannotEnter(
                    f"Process {pid} did not come to a safe point within {_SAFE_POINT_S:.0f} s: its "
                    "main thread waits for something outside of Python."
                )
            time.sleep(_LOOK_S)
        if said := answer.read_text(errors="replace"):
            raise CannotEnter(f"Process {pid} cannot be watched: {said}.")


@contextlib.contextmanager
def _folder(pid: int) -> Iterator[Path]:
    """A private one that the process can read and write, too."""
    folder = Path(tempfile.mkdtemp(prefix="gradwatch-enter-"))
    try:
        owner = Path(f"/proc/{pid}").stat().st_uid
        if os.getuid() == 0 and owner != 0:
            os.chown(folder, owner, -1)
        yield folder
    except FileNotFoundError:
        raise CannotEnter(f"Process {pid} has ended.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _left_by_python(pid: int, program: Path) -> bool:
    """Whether Python itself could leave the request: from 3.14 to the very same version.

    Raises `CannotEnter` where the kernel forbids it: gdb would need the same permission.
    """
    if sys.version_info < (3, 14):
        return False
    try:
        sys.remote_exec(pid, str(program))
    except PermissionError:
        raise CannotEnter(_forbidden(pid)) from None
    except (OSError, RuntimeError, ValueError):  # gdb says why, or does it
        return False
    return True


def _leave_by_gdb(pid: int, program: Path) -> None:
    """Has the interpreter run the program as soon as it may.

    The call that notes the request takes no memory and no interpreter lock: wherever the
    process was stopped, it is safe.
    """
    if shutil.which("gdb") is None:
        raise CannotEnter(
            f"Process {pid} has no gradwatch agent in it, and to put it there needs gdb, or "
            "Python 3.14 on both sides; `gradwatch run` starts a job with it."
        )
    _ask_the_kernel(pid)
    try_on_another(pid)
    text = f"try: exec(open({str(program)!r}).read(), {{}})\\nexcept BaseException: pass\\n"
    size = len(text) - text.count("\\n") + 1
    note = "((int (*)(int (*)(void *), void *)) Py_AddPendingCall)"
    quoted = text.replace('"', '\\"')
    done = _gdb(
        pid,
        f"set $room = (char *) {_ROOM}",
        f'set {{char[{size}]}} $room = "{quoted}"',
        f"print {note}((int (*)(void *)) PyRun_SimpleString, $room)",
    )
    if "$1 = 0" not in done.stdout:
        raise CannotEnter(_why_not(pid, f"{done.stdout}\n{done.stderr}"))


def _ask_the_kernel(pid: int) -> None:
    """Opening its memory needs the permission that gdb will need. Raises `CannotEnter`."""
    try:
        Path(f"/proc/{pid}/mem").open("rb").close()
    except PermissionError:
        raise CannotEnter(_forbidden(pid)) from None
    except OSError:
        return  # it has ended, or there is no such file on this system: gdb says why


def try_on_another(pid: int) -> None:
    """Has gdb call a function in a process of our own first: one that does not know all registers
    of the processor (gdb 13 where there is AMX) fails halfway, and leaves a process broken.

    Raises `CannotEnter`.
    """
    waits = [sys.executable, "-S", "-c", "import sys; print(flush=True); sys.stdin.read()"]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(waits, stdin=pipe, stdout=pipe, stderr=nothing) as other:
        try:
            if other.stdout is not None:
                other.stdout.readline()  # it has come that far
            done = _gdb(other.pid, f"print (char *) {_ROOM} != 0")
        finally:
            other.kill()
    said = f"{done.stdout}\n{done.stderr}"
    if "$1 = 1" not in done.stdout and _REGISTERS in said:
        raise CannotEnter(
            f"This gdb does not know all registers of this processor ({_REGISTERS}), and would "
            f"break process {pid}: a newer gdb is needed, or Python 3.14 on both sides; "
            "`gradwatch run` starts a job with the agent in it."
        )


def _gdb(pid: int, *commands: str) -> subprocess.CompletedProcess[str]:
    before = ["set debuginfod enabled off", "set auto-load off", "set auto-solib-add off"]
    needed = ("sharedlibrary libpython", "sharedlibrary /libc[.-]")  # torch's take seconds
    words = [word for text in before for word in ("-iex", text)]
    after = [word for text in (*needed, *commands) for word in ("-ex", text)]
    try:
        return subprocess.run(
            ["gdb", "-nx", "-batch", *words, "-p", str(pid), *after],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_GDB_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CannotEnter(f"gdb found no way into process {pid} in time.") from None


def _why_not(pid: int, said: str) -> str:
    """What gdb's words and the kernel's settings mean."""
    if "not permitted" in said or "Could not attach" in said:
        return _forbidden(pid)
    if any(word in said for word in _NO_PYTHON):
        return f"Process {pid} is no Python that can be entered."
    last = [line for line in said.splitlines() if line.strip()][-1:]
    return f"gdb could not enter process {pid}: {''.join(last) or 'it said nothing'}"


def _forbidden(pid: int) -> str:
    """What of the kernel's settings keeps others out of the process."""
    status = _text(f"/proc/{pid}/status")
    tracer = next((line[10:].strip() for line in status if line.startswith("TracerPid:")), "0")
    scope = "".join(_text("/proc/sys/kernel/yama/ptrace_scope"))
    if tracer != "0":
        reason = f"process {tracer} traces it already"
    elif scope not in ("", "0"):
        reason = (
            f"kernel.yama.ptrace_scope is {scope}, which keeps processes of one user apart; as "
            "root, `sysctl kernel.yama.ptrace_scope=0` changes that"
        )
    else:
        reason = "it is another user's, or this machine allows no tracing"
    return (
        f"The kernel forbids to enter process {pid}: {reason}. `gradwatch run` starts a job with "
        "the agent in it."
    )


def _text(path: str) -> list[str]:
    try:
        return Path(path).read_text(errors="replace").splitlines()
    except OSError:
        return []
