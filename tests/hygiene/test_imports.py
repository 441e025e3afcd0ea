"""What an import costs: a fresh interpreter proves which modules stay unloaded."""

import subprocess
import sys

import pytest

HEAVY = {"numpy", "rich", "textual", "torch", "zmq"}


def loaded_by(statement: str) -> set[str]:
    program = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "may_load"),
    [
        ("gradwatch.cli", set()),
        ("gradwatch.commands.run", set()),
        ("gradwatch.commands.list", set()),
        ("gradwatch.commands.attach", set()),
        ("gradwatch.commands.watch", {"zmq"}),
        ("gradwatch.commands.demo", {"zmq"}),
        ("gradwatch.model", set()),
        ("gradwatch.watcher", set()),
        ("gradwatch.inject.sitecustomize", set()),
        ("gradwatch_agent", set()),
        ("gradwatch_agent.auto", set()),
        ("gradwatch_agent.pytest_plugin", set()),
        ("gradwatch_agent.testing", set()),
        ("gradwatch_agent.wire", set()),
        ("gradwatch_agent.journal", set()),
        ("gradwatch_agent.verdicts", set()),
    ],
)
def test_a_module_loads_nothing_heavy(module, may_load):
    assert loaded_by(f"import {module}") & HEAVY <= may_load


def test_the_command_line_loads_no_more_than_its_verb_needs():
    assert not loaded_by("import gradwatch.cli") & {"msgspec", "psutil", "gradwatch_agent"}


def test_the_agents_package_alone_loads_no_part_of_it():
    program = "import gradwatch_agent, sys; print([m for m in sys.modules if 'gradwatch' in m])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "['gradwatch_agent']\n"
