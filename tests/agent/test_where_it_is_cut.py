"""In which statement the second loss is to let go of what the first one trains: as near to the loss
as one change is enough.
"""

from __future__ import annotations

import pytest

_AGENT = """
import torch
from torch import nn

torch.manual_seed(0)


class Agent:
    def __init__(self):
        self.sight, self.aim, self.score = nn.Linear(4, 3), nn.Linear(3, 2), nn.Linear(5, 1)
        of_score = [*self.sight.parameters(), *self.score.parameters()]
        self.of_score = torch.optim.Adam(of_score, 0.01)
        self.of_aim = torch.optim.Adam(self.aim.parameters(), 0.01)

    def scored(self, seen, goal):
        return (self.score(torch.cat([seen, goal], 1)) - 1).pow(2).mean()

    def aimed(self, seen):
        READ
        return -self.score(both).mean()

    def train(self):
        seen = torch.tanh(self.sight(torch.randn(8, 4)))
        scored = self.scored(seen, torch.randn(8, 2))
        self.of_score.zero_grad()
        scored.backward()
        self.of_score.step()
        aimed = self.aimed(seen)
        self.of_aim.zero_grad()
        aimed.backward()
        self.of_aim.step()


agent = Agent()
try:
    for _ in range(3):
        agent.train()
except RuntimeError:
    pass
"""


@pytest.mark.parametrize(
    ("read", "told"),
    [
        ("both = torch.cat([seen, self.aim(seen)], 1)", "aimed = self.aimed(seen.detach())"),
        (
            "both = self.aim(seen) @ torch.ones(2, 5)",
            "both = self.aim(seen.detach()) @ torch.ones(2, 5)",
        ),
    ],
    ids=["twice", "once"],
)
def test_of_what_a_function_is_given(checked, read, told):
    (found,) = checked(_AGENT.replace("READ", read)).findings
    assert (found.holder, found.code) == ("seen", told.replace(".detach()", ""))
    assert f"`{told}`" in found.suggestion
