"""The pytest plugin, in a real pytest of its own that runs real trainings."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

PLUGIN = "gradwatch_agent.pytest_plugin"
INSTALLED = any(entry.value == PLUGIN for entry in entry_points(group="pytest11"))
"""Else the environment's install is older than the plugin."""

TESTS = """
import unittest
import pytest
import torch

def train(iterations=10, *, leak=False):
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0
    for _ in range(iterations):
        loss = model(torch.randn(3, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + (loss if leak else loss.item())

@pytest.mark.no_graph_growth
def test_healthy():
    train()

@pytest.mark.no_graph_growth
def test_leak():
    train(leak=True)

def test_leak_by_fixture(no_graph_growth):
    assert no_graph_growth is None
    train(leak=True)

def test_healthy_by_fixture(no_graph_growth):
    train()

@pytest.mark.usefixtures("no_graph_growth")
@pytest.mark.no_graph_growth(level="critical")
def test_level():
    train(leak=True)

@pytest.mark.no_graph_growth(kinds=["graph-chain"], min_iterations=0)
class TestOptions:
    def test_kinds(self):
        train(leak=True)

    def test_nothing_trained(self):
        pass

    @pytest.mark.no_graph_growth(kinds=["graph-held"])
    def test_closest_counts(self):
        train(leak=True)

@pytest.mark.no_graph_growth("critical")
def test_positional():
    train()

@pytest.mark.no_graph_growth(level="wrong")
def test_no_such_level():
    train()

@pytest.mark.no_graph_growth
def test_short():
    train(1)

def test_unmarked():
    train(leak=True)

@pytest.mark.no_graph_growth
def test_own_assertion():
    train(leak=True)
    assert 1 == 2

@pytest.mark.no_graph_growth
def test_own_error():
    loss = torch.ones(3, requires_grad=True).pow(2).sum()
    loss.backward()
    loss.backward()

@pytest.mark.no_graph_growth
def test_skipped():
    pytest.skip("not today")

@pytest.mark.xfail(strict=True)
@pytest.mark.no_graph_growth
def test_expected():
    train(leak=True)

@pytest.mark.no_graph_growth
class TestUnittest(unittest.TestCase):
    def test_leak_in_a_case(self):
        train(leak=True)

def test_block():
    from gradwatch_agent.testing import assert_no_graph_growth
    with assert_no_graph_growth():
        train(leak=True)
"""


@dataclass(frozen=True)
class Outcome:
    how: str
    """passed, failure, error or skipped."""
    text: str


def run_pytest(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(textwrap.dedent(text))
    plugin = () if INSTALLED else ("-p", PLUGIN)
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "--strict-markers", *options, "test_it.py"],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    folder = tmp_path_factory.mktemp("pytest")
    done = run_pytest(folder, TESTS, "--junitxml=report.xml")
    assert done.returncode == 1, done.stdout
    assert "During handling" not in done.stdout
    found = {}
    for case in ET.parse(folder / "report.xml").iter("testcase"):
        last = ([*case] or [None])[-1]
        how = last.tag if last is not None else "passed"
        found[case.attrib["name"]] = Outcome(how, last.text or "" if last is not None else "")
    return found


@pytest.mark.parametrize(
    "name",
    ["healthy", "healthy_by_fixture", "level", "kinds", "nothing_trained", "unmarked"],
)
def test_passes(outcomes, name):
    assert outcomes[f"test_{name}"].how == "passed"


@pytest.mark.parametrize(
    "name", ["leak", "leak_by_fixture", "closest_counts", "leak_in_a_case", "block"]
)
def test_fails_with_the_diagnosis(outcomes, name):
    outcome = outcomes[f"test_{name}"]
    assert outcome.how == "failure"
    assert "gradwatch: 10 iterations, 1 finding" in outcome.text
    assert "graph-held · warning · since iteration 1, noticed in iteration 6" in outcome.text
    assert "total = total + (loss if leak else loss.item())" in outcome.text
    assert "held by  total" in outcome.text


def test_a_report_is_the_diagnosis_and_nothing_else(outcomes):
    assert outcomes["test_leak"].text.startswith("gradwatch: 10 iterations, 1 finding")
    for name, outcome in outcomes.items():
        ours = "gradwatch_agent/" in outcome.text
        assert not ours or name == "test_own_error", name  # it went through the engine's entry


def test_a_block_shows_the_test_down_to_itself(outcomes):
    text = outcomes["test_block"].text
    assert ">       with assert_no_graph_growth():" in text
    assert text.rstrip().endswith("AssertionError")


def test_too_short_fails_and_says_why(outcomes):
    assert outcomes["test_short"].how == "failure"
    assert "1 iteration and 1 backward seen" in outcomes["test_short"].text


def test_a_level_that_there_is_not_is_one_sentence(outcomes):
    assert outcomes["test_no_such_level"].how == "failure"
    said = "@pytest.mark.no_graph_growth: no level 'wrong'; there are info, warning, critical"
    assert outcomes["test_no_such_level"].text.strip().endswith(said)
    assert "Traceback" not in outcomes["test_no_such_level"].text
    assert "testing.py" not in outcomes["test_no_such_level"].text


def test_arguments_are_named(outcomes):
    assert outcomes["test_positional"].how == "failure"
    assert "takes arguments by name only" in outcomes["test_positional"].text


def test_errors_of_the_test_are_its_own(outcomes):
    assert "assert 1 == 2" in outcomes["test_own_assertion"].text
    assert "graph-held" not in outcomes["test_own_assertion"].text
    assert "Trying to backward through the graph a second time" in outcomes["test_own_error"].text
    assert outcomes["test_skipped"].how == outcomes["test_expected"].how == "skipped"


def test_the_plugin_loads_nothing_heavy(tmp_path):
    done = run_pytest(
        tmp_path,
        """
        import sys

        def test_it():
            assert "gradwatch_agent.pytest_plugin" in sys.modules
            assert not {"torch", "zmq", "msgspec", "gradwatch_agent.testing"} & set(sys.modules)
        """,
    )
    assert done.returncode == 0, done.stdout


def test_the_fixture_and_the_marker_are_described(tmp_path):
    done = run_pytest(tmp_path, "", "--fixtures", "--markers")
    assert "@pytest.mark.no_graph_growth(level='warning'" in done.stdout
