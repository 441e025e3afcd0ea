"""Which statements may have changed a tensor in place, where no graph leads to the one that did."""

from __future__ import annotations

import importlib
import os
import sys

import pytest

from gradwatch_agent.diagnosis.suspects import suspects

SCRIPT = """
import torch
from torch import nn

class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.mix = nn.Linear(4, 4), nn.Linear(4, 4)
        nn.init.normal_(self.user.weight)

class Bound:
    def __init__(self, weights):
        self.weights = list(weights)

    def project(self):
        for bounded in self.weights:
            bounded.mul_(0.9)

model = Mixed()
bound = Bound([model.mix.weight])
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    file = tmp_path / "bounded_program.py"
    file.write_text(SCRIPT)
    os.utime(file, (0, 0))  # what was written since the process began is not what it runs
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("bounded_program")
    del sys.modules["bounded_program"]


def test_what_makes_things_ready_has_not_changed_what_was_saved_later(program):
    found = suspects(program.model.mix.weight, (), weights=True)
    codes = [each.code for each in found if each.file == program.__file__]
    assert codes == ["bounded.mul_(0.9)"]
