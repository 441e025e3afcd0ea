"""Brings the agent into the training processes that `gradwatch run` starts.

Python imports this file at start because its directory leads PYTHONPATH. It owns the decision
whether this process is one to watch, and brings the agent in with torch, so that a process
without torch pays nothing. It runs in every Python below the command: it must import the
standard library only, and never print or fail in a process that is not to be watched.

Watched is the first process to import torch, and under it every new rank. Not watched: what a
watched process starts for itself, and programs that import torch and never train. Children of
multiprocessing get an agent that shows itself at their first backward: data loaders never do.
"""

from __future__ import annotations

import importlib.machinery
import os
import sys

TYPE_CHECKING = False  # importing typing, pathlib or importlib.abc would cost every Python 5–20 ms
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from types import ModuleType

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120

_INSIDE = "GRADWATCH_INSIDE"
"""Tells the processes below a watched one which rank is watched already."""

_HOLD = "GRADWATCH_HOLD"
"""Set by `gradwatch demo`: training begins and ends with the viewer at the other end of stdin."""

_NEVER_TRAIN = frozenset(
    {
        "torchrun",
        "torch.distributed.run",
        "torch.distributed.launch",
        "accelerate",
        "accelerate.commands.launch",
        "deepspeed",
        "deepspeed.launcher.launch",
        "compile_worker",
    }
)
"""Programs that import torch for other reasons: launchers, and torch.compile's own workers."""

_TAKE_A_VALUE = frozenset({"-X", "-W", "--check-hash-based-pycs"})
"""The interpreter's options whose value is an argument of its own."""


class _BesideTorch:
    """Waits on `sys.meta_path` for the import of torch, then makes room for the agent."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """Nothing but for torch; then whatever is found once the agent is in."""
        if fullname != "torch":
            return None
        from importlib.util import find_spec

        sys.meta_path.remove(self)
        _bring_in_agent()
        spec = find_spec(fullname)  # asks the agent, too, which waits for the import's end
        if spec is not None and spec.loader is not None and os.environ.pop(_HOLD, ""):
            _hold_after(spec.loader)
        return spec


def _bring_in_agent() -> None:
    os.environ[_INSIDE] = _rank()
    try:
        import gradwatch_agent.auto  # noqa: F401
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"gradwatch: not watching pid {os.getpid()}: {sys.executable} has no module "
            f"{error.name} (pip install gradwatch there)\n"
        )


def _hold_after(loader: Loader) -> None:
    """Lets nothing happen after torch's import until something comes through stdin."""
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        execute(module)
        os.read(0, 1)
        threading.Thread(target=_end_with_viewer, name="gradwatch-hold", daemon=True).start()

    import threading

    loader.exec_module = exec_module  # type: ignore[method-assign]


def _end_with_viewer() -> None:
    """A viewer that is gone, in whatever way, leaves no job behind that eats memory for ever."""
    import signal

    while os.read(0, 1):  # not sys.stdin: its lock, held at exit, would abort the interpreter
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _rank() -> str:
    """Torchrun's name for it, else Lightning's, whose first process has none at its start."""
    return os.environ.get("RANK") or os.environ.get("LOCAL_RANK") or "main"


def _started() -> str:
    """What this interpreter runs: a module's or script's name, or a -c program's text."""
    words: list[str] = getattr(sys, "orig_argv", [])  # Python < 3.10 may run below us, too
    arguments = iter(words[1:])
    for argument in arguments:
        if argument in ("-m", "-c"):
            return next(arguments, "")
        if argument in _TAKE_A_VALUE:
            next(arguments, None)
        elif not argument.startswith("-"):
            folder, name = os.path.split(argument)
            return os.path.basename(folder) if name == "__main__.py" else name  # noqa: PTH119
    return ""


def _to_be_watched() -> bool:
    started = _started()
    if started.startswith("from multiprocessing."):
        return True  # a rank by torch.multiprocessing.spawn; others never come to a backward
    return os.environ.get(_INSIDE) != _rank() and started not in _NEVER_TRAIN


def _chain() -> None:
    """Runs the sitecustomize that this one shadows, under its own name, as if it were alone."""
    sys.path[:] = [entry for entry in sys.path if entry != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        shadowed = module_from_spec(spec)
        sys.modules["sitecustomize"] = shadowed
        spec.loader.exec_module(shadowed)


if _to_be_watched():
    sys.meta_path.insert(0, _BesideTorch())
_chain()
