"""Which line of the user's own code made a call.

Owns the judgement what is the user's code and what is a library's. Must not know torch's inside.
"""

from __future__ import annotations

import itertools
import os
import site
import sys
import sysconfig
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import torch

_PACKAGES: Final = ("site-packages", "dist-packages")
"""Folders that hold what was installed, wherever they are."""

TORCH: Final = f"{Path(str(torch.__file__)).parent}{os.sep}"

_AGENT: Final = f"{Path(__file__).parents[1]}{os.sep}"

_INTERNAL: Final = (TORCH, _AGENT)


def _libraries() -> tuple[str, ...]:
    paths = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    paths.add(site.getusersitepackages() if hasattr(site, "getusersitepackages") else "")
    paths.add(str(Path(os.__file__).parent))  # in a virtual environment: the one it is made from
    whole = tuple(path.rstrip(os.sep) + os.sep for path in paths if path)
    return whole + _INTERNAL


_LIBRARIES: Final = _libraries()

_NOTEBOOK: Final = ("<ipython-input", "<stdin>", "<python-input", "<doctest")
"""How code is called that a user typed; all else in such brackets is made by some program."""

_GENERATED: Final = f"{os.sep}torchinductor_"
"""Part of the paths of code that torch.compile writes."""

_SETTING_UP: Final = tuple(f"{os.sep}{name}customize.py" for name in ("site", "user"))
"""What sets the interpreter up before it comes to the program."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the user's code a call came from."""

    file: str
    line: int
    function: str


Lines = tuple[Site, ...]
"""The user's frames, the innermost first."""

_own: dict[int, tuple[bool, CodeType]] = {}
"""Judged once for each code object, and bounded by the code of the program. By its id, for to hash
one takes longer than all else here; the code is kept, so that no other comes by that id."""

_lines: dict[tuple[int, ...], Lines] = {}
"""What `call_sites` has told, by the code objects' ids and where in each the call was."""

_MOST_LINES: Final = 8_192
"""Of those; a program calls torch from some hundred places."""


@lru_cache(maxsize=8_192)
def is_own(filename: str) -> bool:
    """Whether a file is the user's: no library's, not the interpreter's, not the agent's.

    The program that was started is the user's, wherever it lies, with the package it is of.
    """
    if filename.startswith("<"):
        return filename.startswith(_NOTEBOOK)
    if filename.startswith(_INTERNAL) or _GENERATED in filename or filename.endswith(_SETTING_UP):
        return False
    main = _main_package()
    if main and filename.startswith(main):
        return True
    if filename.startswith(_LIBRARIES):
        return False
    return not is_installed(filename)


def is_installed(filename: str) -> bool:
    """Whether a file is of the agent, of torch, or of another package that was installed."""
    inside = any(f"{os.sep}{folder}{os.sep}" in filename for folder in _PACKAGES)
    return inside or filename.startswith(_INTERNAL) or _is_in_target(filename)


def _is_in_target(filename: str) -> bool:
    """Whether it was put into some other folder that Python searches: `pip install --target`."""
    for folder in sys.path:
        if not isinstance(folder, str) or not folder:
            continue  # what Python passes over, and the folder it was started in
        inside = folder.rstrip(os.sep) + os.sep
        if not filename.startswith(inside):
            continue
        if filename[len(inside) :].partition(os.sep)[0] in _put_into(folder):
            return True
    return False


@lru_cache(maxsize=256)
def _put_into(folder: str) -> frozenset[str]:
    """The files and folders that were installed there, by the records of their installation: what
    lies beside them may be the user's.
    """
    try:
        records = [each.read_text(errors="replace") for each in _records(folder)]
    except OSError:
        return frozenset()
    lines = itertools.chain.from_iterable(map(str.splitlines, records))
    return frozenset(line.partition(",")[0].partition("/")[0] for line in lines)


def _records(folder: str) -> Iterator[Path]:
    return Path(folder).glob("*.dist-info/RECORD")


def _main_package() -> str:
    """The folder of the package that was started with -m from among the installed ones; of a
    script that lies there, the script itself.
    """
    main = sys.modules.get("__main__")
    file = getattr(main, "__file__", None)
    if not isinstance(file, str):
        return ""
    package = getattr(main, "__package__", None) or ""
    depth = len(package.split(".")) if package else 0
    folders = Path(os.path.abspath(file)).parents  # noqa: PTH100  - as frames tell it: links kept
    if not depth:
        return os.path.abspath(file)  # noqa: PTH100
    top = str(folders[depth - 1])
    return "" if _is_launcher(top) else top + os.sep


def _is_launcher(folder: str) -> bool:
    """Whether the package started is one that starts others."""
    return f"{folder}{os.sep}".startswith(_INTERNAL) or folder.startswith(_STANDARD)


_STANDARD: Final = tuple(
    path + os.sep for name in ("stdlib", "platstdlib") if (path := sysconfig.get_path(name))
)


def call_site(frame: FrameType | None) -> Site | None:
    """The innermost frame of the user's own code; None where there is none."""
    while frame is not None:
        code = frame.f_code
        if (_own.get(id(code)) or _judged(code))[0]:
            return Site(code.co_filename, frame.f_lineno, code.co_name)
        frame = frame.f_back
    return None


def calls_from(frame: FrameType | None, through: Collection[str]) -> str:
    """The file of the innermost frame that is neither the agent's nor of one of the files."""
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(_AGENT) and file not in through:
            return file
        frame = frame.f_back
    return ""


def raised_at(error: BaseException) -> Site | None:
    """The innermost line of the user's own code that the exception came through."""
    found, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if is_own(code.co_filename):
            found = Site(code.co_filename, trace.tb_lineno, code.co_name)
        trace = trace.tb_next
    return found


def call_sites(frame: FrameType | None) -> Lines:
    """All frames of the user's own code, the innermost first.

    Asked for each node that is made while lines are noted: so what was told is told again, and
    lines, which Python counts out from the code's beginning, are not asked for twice.
    """
    key: tuple[int, ...] = ()
    here = frame
    while here is not None:
        code = here.f_code
        if (_own.get(id(code)) or _judged(code))[0]:
            key += (id(code), here.f_lasti)
        here = here.f_back
    known = _lines.get(key)
    if known is None:
        if len(_lines) >= _MOST_LINES:
            _lines.clear()
        known = _lines[key] = tuple(_own_sites(frame))
    return known


def _own_sites(frame: FrameType | None) -> Iterator[Site]:
    while frame is not None:
        code = frame.f_code
        if _own[id(code)][0]:
            yield Site(code.co_filename, frame.f_lineno, code.co_name)
        frame = frame.f_back


def _judged(code: CodeType) -> tuple[bool, CodeType]:
    judgement = _own[id(code)] = (is_own(code.co_filename), code)
    return judgement


def parting(first: Lines, second: Lines) -> Site | None:
    """Where two calls, seen from outside, begin to differ: the line of the first one."""
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if (one.file, one.line) != (other.file, other.line):
            return one
    return None
