"""With the agent and without it, training computes the same numbers, to the last bit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).with_name("neutral")
SOURCE = "".join(path.read_text() for path in sorted(FOLDER.glob("*.py")))
NAMES = re.findall(r"^@job\ndef (\w+)", SOURCE, re.MULTILINE)
REPEATABLE = {"OMP_NUM_THREADS": "1", "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}


def started(folder: Path, *, watched: bool) -> subprocess.Popen[str]:
    environment = os.environ | {**REPEATABLE, "GRADWATCH_LOG": str(folder / "log")}
    environment.pop("GRADWATCH_OFF", None)
    if not watched:
        environment["GRADWATCH_OFF"] = "1"
    return subprocess.Popen(
        [sys.executable, str(FOLDER / "run.py")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("neutral")


@pytest.fixture(scope="module")
def outputs(folder: Path) -> list[tuple[str, str]]:
    """What both children print, and what they complain of: first the one left alone."""
    children = [started(folder, watched=False), started(folder, watched=True)]
    return [child.communicate() for child in children]


def test_no_child_complains(outputs):
    assert [complaint for _, complaint in outputs] == ["", ""]


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_are_the_same(outputs, name):
    digests = [dict(line.split() for line in printed.splitlines()) for printed, _ in outputs]
    assert digests[0][name] == digests[1][name]


def test_one_of_them_was_watched(outputs, folder):
    findings = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    assert {"graph-chain", "graph-held", "second-backward"} <= {f["kind"] for f in findings}
