"""In which statement the second loss is to let go of what the first one trains: as near to the loss
as one change is enough.
"""

from __future__ import annotations

import textwrap

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


_PEERS = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
peers = [nn.Linear(4, 3) for _ in range(2)]
optimizers = [torch.optim.SGD(peer.parameters(), 0.1) for peer in peers]
for _ in range(3):
    x = torch.randn(8, 4)
    y = x.argmax(1) % 3
    told = [peer(x) for peer in peers]
    for HEAD:
        lesson = LESSON
        loss = F.cross_entropy(OWN, y) + lesson
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""

_ROUNDS = [
    (
        "i, optimizer in enumerate(optimizers)",
        "told[i]",
        "(told[i] - told[1 - i]).square().mean()",
        "(told[i] - told[1 - i].detach()).square().mean()",
    ),
    (
        "i, optimizer in enumerate(optimizers)",
        "told[i]",
        "sum((told[i] - told[j]).square().mean() for j in range(2) if j != i)",
        "sum(((told[i] - told[j].detach()).square().mean() for j in range(2) if j != i))",
    ),
    (
        "own, optimizer in zip(told, optimizers)",
        "own",
        "sum((own - other).square().mean() for other in told if other is not own)",
        "sum(((own - other.detach()).square().mean() for other in told if other is not own))",
    ),
]


def peers(head: str, own: str, lesson: str) -> str:
    return _PEERS.replace("HEAD", head).replace("OWN", own).replace("LESSON", lesson)


@pytest.mark.parametrize(("head", "own", "lesson", "cut"), _ROUNDS)
def test_of_peers_each_loss_lets_go_of_the_others(checked, head, own, lesson, cut):
    text = (
        f"try:\n{textwrap.indent(peers(head, own, lesson), '    ')}\nexcept RuntimeError:\n    pass"
    )
    (found,) = checked(text).findings
    assert (found.kind, found.holder) == ("second-backward", "told")
    assert (found.code, f"`lesson = {cut}`" in found.suggestion) == (f"lesson = {lesson}", True)


@pytest.mark.parametrize(("head", "own", "lesson", "cut"), _ROUNDS)
def test_which_cures_it(checked, head, own, lesson, cut):
    assert not checked(peers(head, own, cut)).findings


_FORGED = """
import torch
from torch import nn

torch.manual_seed(0)
forger = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))
judge = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
of_forger = torch.optim.Adam(forger.parameters(), 0.01)
of_judge = torch.optim.Adam(judge.parameters(), 0.01)
for _ in range(6):
    forged = forger(torch.randn(8, 3))
    fooled = (judge(forged) - 1).pow(2).mean()
    of_forger.zero_grad()
    fooled.backward(retain_graph=True)
    of_forger.step()
    told = (judge(torch.randn(8, 4)) - 1).pow(2).mean() + judge(FORGED).pow(2).mean()
    of_judge.zero_grad()
    told.backward()
    of_judge.step()
"""


def test_what_a_step_has_changed_is_cut_where_nothing_below_is_trained_any_more(checked):
    text = _FORGED.replace("FORGED", "forged")
    raising = f"try:\n{textwrap.indent(text, '    ')}\nexcept RuntimeError:\n    pass"
    found = next(f for f in checked(raising).findings if f.kind == "inplace-modified")
    assert found.code == "of_forger.step()"
    assert found.suggestion.startswith("In line 18: ")
    assert "judge(forged.detach())" in found.suggestion


def test_and_then_both_are_trained(checked):
    found = checked(_FORGED.replace("FORGED", "forged.detach()")).findings
    assert {each.kind for each in found} <= {"retain-needless"}
