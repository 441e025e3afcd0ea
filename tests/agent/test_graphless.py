"""A backward on what has no graph: told is the statement that made it, within the function that
hands it back where the source leaves no doubt.
"""

from __future__ import annotations

import textwrap

import pytest

PROGRAM = """
import gradwatch_agent.auto
import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.01)

{function}

for step in range(6):
    batch = torch.randn(8, 4) + step
    loss = loss_of(model(batch), step)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

OF_ONE_BRANCH = """
def loss_of(scores, step):
    if step == 4:
        return torch.zeros(())
    return scores.pow(2).mean()
"""

DETACHED = """
class Losses:
    def loss_of(self, scores, step):
        if step < 4:
            return scores.pow(2).mean()
        return scores.pow(2).mean().detach()
loss_of = Losses().loss_of
"""

OF_TWO_BRANCHES = """
def loss_of(scores, step):
    if step == 4:
        return torch.zeros(())
    if step > 9:
        return torch.tensor(0.5)
    return scores.pow(2).mean()
"""


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (OF_ONE_BRANCH, "return torch.zeros(())"),
        (DETACHED, "return scores.pow(2).mean().detach()"),
        (OF_TWO_BRANCHES, "loss = loss_of(model(batch), step)"),
    ],
)
def test_the_statement_that_made_it(forked, tmp_path, function, code):
    text = PROGRAM.format(function=textwrap.dedent(function))
    ended = forked.run(text, GRADWATCH_CHECK="1000", GRADWATCH_REPORTS=str(tmp_path))
    assert ended.code == 1
    (found,) = (each for each in ended.findings if each.level != "info")
    assert (found.kind, found.iteration, found.code) == ("crashed", 4, code)
    assert code in ended.err.partition("gradwatch:")[2]
