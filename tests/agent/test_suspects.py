"""Which statements may have changed a tensor in place, where no graph leads to the one that did."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

from gradwatch_agent.diagnosis.inplace.suspects import call_of_all, named, suspects
from gradwatch_agent.lines.sites import Site

SCRIPT = """
import torch
from torch import nn

class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.mix = nn.Linear(4, 4), nn.Linear(4, 4)
        nn.init.normal_(self.user.weight)

    def forward(self, x):
        return self.mix(self.user(x))

class Bound:
    def __init__(self, weights):
        self.weights = list(weights)

    def project(self):
        for bounded in self.weights:
            bounded.mul_(0.9)

    def clip(self):
        for bounded in self.weights:
            bounded.clamp_(-1, 1)

    def attach(self, events):
        events.append(self.clip)

def train(progress):
    score = model.mix(torch.randn(4))
    score.sub_(1.0)
    bound.project()
    score.sum().backward()
    progress.clip()

model = Mixed()
bound = Bound([model.mix.weight])
opt = torch.optim.Adam(model.parameters())
model(torch.ones(4)).sum().backward()
opt.step()
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
    assert codes == ["bounded.mul_(0.9)", "bounded.clamp_(-1, 1)"]


def test_a_weight_is_not_what_the_statement_made_that_saved_it(program):
    file = program.__file__
    saved = Site(file, line_of(file, "score = model.mix(torch.randn(4))"), "train")
    codes = {each.code for each in suspects(program.model.mix.weight, (saved,), weights=True)}
    assert "score.sub_(1.0)" not in codes
    assert "bounded.mul_(0.9)" in codes


def line_of(file, code):
    text = Path(file).read_text()
    return [line.strip() for line in text.splitlines()].index(code) + 1


@pytest.mark.parametrize(
    ("change", "call"),
    [
        ("bounded.mul_(0.9)", "bound.project()"),
        ("bounded.clamp_(-1, 1)", None),  # handed on, and called by whoever it is handed to
    ],
)
def test_the_call_that_changed_it_is_told_if_nobody_else_may_call(program, change, call):
    file = program.__file__
    saved = Site(file, line_of(file, "score = model.mix(torch.randn(4))"), "train")
    found = call_of_all([(file, line_of(file, change))], (saved,))
    assert (found and found.line) == (call and line_of(file, call))


def test_a_weight_goes_by_its_name_not_by_its_optimizers(program):
    assert named(program.model.mix.weight).endswith("mix.weight")


def test_a_teacher_that_no_gradient_is_asked_of_has_weights_all_the_same(checked):
    found = checked(
        """
        import copy
        import torch
        from torch import nn

        def blend(slow, fast):
            with torch.no_grad():
                for kept, new in zip(slow.parameters(), fast.parameters()):
                    kept.mul_(0.9).add_(new, alpha=0.1)

        student = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 3))
        teacher = copy.deepcopy(student).requires_grad_(False)
        optimizer = torch.optim.SGD(student.parameters(), 0.01)
        for step in range(20):
            loss = teacher[1](student[0](torch.randn(6, 4))).pow(2).mean()
            if step > 9:
                blend(teacher, student)
            optimizer.zero_grad()
            try:
                loss.backward()
            except RuntimeError:
                break
            optimizer.step()
            blend(teacher, student)
        """
    ).findings
    (finding,) = found
    assert finding.kind == "inplace-modified"
    assert finding.code == "blend(teacher, student)"
    assert finding.holder == "teacher[1].weight"
