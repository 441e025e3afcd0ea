"""Which of a program's files are read for a finding."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import types

from gradwatch_agent.naming import modules, own_files
from gradwatch_agent.naming.modules import own_modules

MAIN = """
import importlib, json
import nearby
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.modules import own_modules

for number in range(300):
    importlib.import_module(f"far.m{number}")
json.dump([own_files(), [file for file, _ in own_modules()]], open("said", "w"))
"""


def test_of_a_large_program_those_are_read_that_are_nearest_to_what_runs(tmp_path):
    (tmp_path / "far").mkdir()
    for number in range(300):
        (tmp_path / "far" / f"m{number}.py").write_text(f"NUMBER = {number}\n")
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "nearby.py").write_text("from farther import Trainer\n")
    (tmp_path / "farther.py").write_text("import farthest\n\nclass Trainer:\n    pass\n")
    (tmp_path / "farthest.py").write_text("X = 1\n")
    subprocess.run([sys.executable, "main.py"], cwd=tmp_path, check=True, timeout=100)
    read, every = json.loads((tmp_path / "said").read_text())
    near = {"main.py", "nearby.py", "farther.py", "farthest.py"}
    assert {str(tmp_path / name) for name in near} <= set(read)
    assert len(read) == len(set(read)) == 256 < len(every)


def test_what_sets_the_interpreter_up_is_none_of_the_programs(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("set_up = []\nset_up.clear()\n")
    script = (
        "import sitecustomize\nfrom gradwatch_agent.naming import own_files\nprint(own_files())"
    )
    (tmp_path / "main.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path, check=True, timeout=100, stdout=subprocess.PIPE
    )
    assert done.stdout.decode().strip() == str([str(tmp_path / "main.py")])


def test_a_module_that_is_loaded_again_is_another_one(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "loaded_twice.py"
    file.write_text("value = [1]\n")
    for _ in range(3):
        module = importlib.import_module("loaded_twice")
        assert str(file) in own_files()
        found = [names for at, names in own_modules() if at == str(file)]
        assert [names["value"] is module.value for names in found] == [True]
        del sys.modules["loaded_twice"], module, found
        assert str(file) not in own_files()


def test_one_that_is_loaded_again_before_anybody_asks_is_another_one_too(tmp_path, monkeypatch):
    """Though it have the same name, and lie where the one before lay."""
    monkeypatch.setattr(modules, "id", lambda _: 0, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "loaded_anew.py"
    file.write_text("value = [1]\n")
    for _ in range(3):
        module = importlib.import_module("loaded_anew")
        found = [names for at, names in own_modules() if at == str(file)]
        assert [names["value"] is module.value for names in found] == [True]
        del sys.modules["loaded_anew"], module, found


def test_what_is_no_module_or_has_no_file_is_passed_by(monkeypatch):
    monkeypatch.setitem(sys.modules, "made_up", types.ModuleType("made_up"))
    monkeypatch.setitem(sys.modules, "no_module", object())
    assert __file__ in own_files()
