"""How the function that goes from one iteration to the next says what is carried over: the one
whose `frame` runs; None where that is a library's.
"""

from __future__ import annotations

from types import FrameType

from gradwatch_agent.naming import Path
from gradwatch_agent.naming.frames import names_in


def in_loop(path: Path, frame: FrameType | None) -> str:
    """How the function that goes from one iteration to the next says it; empty if it cannot."""
    steps = [step for step in path.back() if step.identity]
    known = names_in(frame, [step.identity for step in steps]) if frame is not None else {}
    root = path.root
    if root.name in known.get(root.identity, ()) or _is_seen(path, frame):
        return path.expression
    for step in steps:
        for name in known.get(step.identity, ()):
            way = path.by_way_of(step, Path.of(name, path.file, path.line))
            return way.expression
    return ""


def _is_seen(path: Path, frame: FrameType | None) -> bool:
    """Whether it is of an object that its module has a name for, which the function has not."""
    root, code = path.root.named, frame.f_code if frame is not None else None
    if code is None or root.line or path.root is path or path.root.behind is not None:
        return False
    own = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
    return root.file == code.co_filename and root.name not in own


def elsewhere(path: Path, said: str, frame: FrameType | None) -> str:
    """Whose variable it is, "function" or "module", where that function, which has `said` it
    so, can give it nothing; empty where it can.
    """
    root = path.root.named
    if frame is None or said:
        return ""
    code = frame.f_code
    if root.line or path.root.behind is not None:
        same = (code.co_filename, code.co_firstlineno) == (root.file, root.line)
        return "" if same else "function"
    bare = path is path.root and not path.attribute
    return "module" if bare and code.co_name != "<module>" else ""
