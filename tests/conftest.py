"""Three workers share the suite by files.

The folders that take longest begin first; but the dashboard's come last, for a process full of
widgets is not what the agent's searches are tested in.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from .nursery import Nursery

settings.register_profile("untimed", deadline=None)  # tests assert no times
settings.load_profile("untimed")

ORDER = ("scenarios", "agent", "jobs", "link", "unit", "hygiene", "tui")


os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each child compiles the whole agent anew

if device := os.environ.get("TEST_DEVICE"):  # "cuda": where there is one
    import torch

    torch.set_default_device(device)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _place(item.path.parent.name))


def pytest_collection_finish() -> None:
    """What is there by now is no job's: no collection, no search of the agent looks at it."""
    gc.collect()
    gc.freeze()


def _place(folder: str) -> int:
    return ORDER.index(folder) if folder in ORDER else 0


HERE = Path(__file__).parent
TESTS, VIEWER = f"{HERE}{os.sep}", f"{HERE.parent / 'gradwatch'}{os.sep}"
WATCHED = ("agent", "jobs")
"""Where the agent watches the test's own process."""


@pytest.fixture(autouse=True)
def _others_modules_are_hidden(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker has imported every test, and all of that is the user's code for the agent: it
    would look for names in tens of thousands of objects that no training job has. What a test uses
    is left there, and all of the package that it is of.
    """
    if request.path.parent.name in WATCHED:
        beside = f"{request.module.__package__}."
        values = vars(request.module).values()
        used = {_first(each.__name__, beside) for each in values if type(each) is ModuleType}
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            if _first(name, beside) not in used and _is_anothers(file, request.path):
                monkeypatch.delitem(sys.modules, name)


def _first(name: str, beside: str) -> str:
    """The module, or the outermost package of it that lies beside the test."""
    inner = name.removeprefix(beside)
    return name if inner == name else beside + inner.partition(".")[0]


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_kept_at_home() -> Iterator[None]:
    """What tests' jobs leave behind is no run of the user's."""
    with tempfile.TemporaryDirectory(prefix="gw") as folder:
        os.environ["XDG_STATE_HOME"] = folder
        yield
    del os.environ["XDG_STATE_HOME"]


@pytest.fixture(scope="session", autouse=True)
def _an_interrupt_reaches_children() -> None:
    """A shell has what it starts in the background ignore it, and all that is started there."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Each worker's own."""
    nursery = Nursery()
    yield nursery
    nursery.close()


def _is_anothers(file: str, test: Path) -> bool:
    return file.startswith((TESTS, VIEWER)) and file != str(test)
