"""What a file is worth that was written after the process began: the text that it runs, or none."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
import time

import pytest

from gradwatch_agent.source.syntax.text import lines

TEXT = """
LIMIT = {"a", "b", "c"}

def step(loss):
    return loss * 2.5

class Meter:
    def update(self, value):
        return [each for each in value if each in {1, 2, 3}]

class Odd:
    @property
    def __class__(self):
        raise AssertionError("code of the program's was run")

odd = Odd()
"""

EDITS = {
    "a line more": lambda text: f"import os\n{text}",
    "a line less within": lambda text: text.replace("def update", "\n    def update"),
    "another number": lambda text: text.replace("2.5", "3.5"),
    "another name": lambda text: text.replace("loss", "cost"),
    "another method": lambda text: text.replace("each in value", "each in self"),
    "no Python": lambda text: f"{text}\ndef (",
}


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The file of one that is imported now, and written later than the process began."""
    file = tmp_path / "written_late.py"
    write(file, TEXT)
    spec = importlib.util.spec_from_file_location("written_late", file)
    loaded = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "written_late", loaded)
    spec.loader.exec_module(loaded)
    return file


def write(file, text) -> None:
    file.write_text(text)
    later = time.time() + 60
    os.utime(file, (later, later))


def test_what_was_imported_as_it_is_can_be_read(module):
    assert "".join(lines(str(module))) == TEXT


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_what_was_edited_since_cannot(module, edit):
    write(module, edit(TEXT))
    assert lines(str(module)) == ()


def test_nor_can_what_nothing_is_known_to_run(tmp_path):
    write(tmp_path / "other.py", TEXT)
    assert lines(str(tmp_path / "other.py")) == ()


@pytest.mark.parametrize("edited", [False, True])
def test_a_script_that_runs(tmp_path, edited):
    file = tmp_path / "script.py"
    write(file, "for number in range(1):\n    read = ask(number)\n")

    def ask(_):
        if edited:
            write(file, "import os\nfor number in range(1):\n    read = ask(number)\n")
        return lines(str(file))

    assert bool(runpy.run_path(str(file), {"ask": ask})["read"]) is not edited
