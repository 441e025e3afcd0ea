"""Whether a line is reached before training alone, by the source."""

from __future__ import annotations

import os

import pytest

from gradwatch_agent.source.flow.ahead import is_set_up

IN_A_CONSTRUCTOR = """
class Anchor:
    def __init__(self, model):
        for name, p in model.named_parameters():
            self.anchor[name] = p.detach()  # <-
"""
IN_WHAT_A_CONSTRUCTOR_CALLS = """
class Anchor:
    def setup(self, model):
        self.anchor = weights(model).detach()  # <-

class Trainer:
    def __init__(self, model, parts):
        for part in parts:
            part.setup(model)
"""
AHEAD_OF_THE_LOOP = """
def begun(model):
    return model.start.detach()  # <-

def main():
    state = begun(model)
    for batch in batches:
        state = model(batch, state)
        state.sum().backward()
"""
IN_A_LOOP_OF_ITS_OWN = """
class Anchor:
    def on_fit_start(self, model):
        for name, p in model.named_parameters():
            self.anchor[name] = p.detach().clone()  # <-

class Trainer:
    def fit(self, model):
        for part in self.parts:
            part.on_fit_start(model)
        for batch in self.batches:
            model(batch).backward()
"""
IN_A_LOOP_THAT_TRAINS_BY_A_NAME_OF_TORCH = """
class Anchor:
    def update(self, model):
        model.loss().backward()

    def begin(self, models):
        for model in models:
            self.anchor = model.p.detach()  # <-
            self.update(model)

begin(anchor)
"""
BY_SUPER = """
class Anchored:
    def setup(self):
        super().setup()
        self.anchor = self.model.p.detach()  # <-

class Trainer(Anchored):
    def fit(self):
        self.setup()
        for batch in self.batches:
            self.model(batch).backward()
"""
AT_THE_TOP = """
def fill(model):
    bank.update(model.start.detach())  # <-

fill(model)
train(model)
"""
IN_THE_LOOP = """
for batch in batches:
    state = state.detach()  # <-
    model(batch, state).sum().backward()
"""
IN_A_LOOP_THAT_TRAINS_BY_A_CALL = """
def cut(self):
    self.state = self.state.detach()  # <-

def fit(self):
    for batch in batches:
        self.cut()
        self.train_on(batch)

fit(trainer)
"""
IN_BOTH = """
def cut(self):
    self.state = self.state.detach()  # <-

class Trainer:
    def __init__(self):
        self.cut()

    def on_epoch(self):
        self.cut()
"""
CALLED_BY_A_FRAMEWORK = """
class Model:
    def training_step(self, batch):
        self.state = self.state.detach()  # <-
"""


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (IN_A_CONSTRUCTOR, True),
        (IN_WHAT_A_CONSTRUCTOR_CALLS, True),
        (AHEAD_OF_THE_LOOP, True),
        (AT_THE_TOP, True),
        (BY_SUPER, True),
        (IN_A_LOOP_OF_ITS_OWN, True),
        (IN_A_LOOP_THAT_TRAINS_BY_A_NAME_OF_TORCH, False),
        (IN_THE_LOOP, False),
        (IN_A_LOOP_THAT_TRAINS_BY_A_CALL, False),
        (IN_BOTH, False),
        (CALLED_BY_A_FRAMEWORK, False),
    ],
)
def test_what_is_reached_before_training_alone(tmp_path, source, told):
    path = tmp_path / "train.py"
    path.write_text(source)
    os.utime(path, (0, 0))  # a file younger than the process may not be what runs
    line = 1 + next(n for n, text in enumerate(source.splitlines()) if "# <-" in text)
    assert is_set_up(str(path), line, [str(path)]) is told
