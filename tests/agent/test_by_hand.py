"""Jobs without an optimizer, which train by gradients that keep their graphs: each gradient is an
iteration as soon as it shows that what it goes to is trained, in place or by others instead.
"""

from __future__ import annotations

import pytest

_HEAD = """
import torch

torch.manual_seed(0)


def cost(weights):
    inputs = torch.randn(8, 6)
    return (torch.tanh(inputs @ weights) - inputs.sum(1, keepdim=True)).square().mean()


def gradient(weights):
    return torch.autograd.grad(cost(weights), [weights], create_graph=True)[0]


weights = (0.3 * torch.randn(6, 1)).requires_grad_()
speed = torch.zeros(6, 1)
"""

_REPLACED = """
for _ in range(ROUNDS):
    speed = 0.9 * speed + gradient(weights)
    weights = (weights - 0.02 * speed).detach().requires_grad_()
"""

_IN_PLACE = """
for _ in range(ROUNDS):
    speed = 0.9 * speed + gradient(weights)
    with torch.no_grad():
        weights -= 0.02 * speed
"""

_OTHER_DATA = """
class HeavyBall(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                own = self.state[p]
                own["m"] = 0.9 * own.get("m", torch.zeros_like(p)) + p.grad + 1e-4 * p
                p.data = p.data - 0.02 * own["m"].data


heavy_ball = HeavyBall([weights])
for _ in range(60):
    heavy_ball.zero_grad()
    cost(weights).backward()
    heavy_ball.step()
"""

_FUNCTIONAL = """
slope_of = torch.func.grad(cost)
kept = KEPT
for _ in range(40):
    slope = slope_of(WEIGHTS["w"])
    WEIGHTS = {k: w - 0.02 * slope for k, w in WEIGHTS.items()}
"""

_NOTED = """
ledger = []
for _ in range(20):
    point = torch.rand(6, 1, requires_grad=True)
    for _ in range(4):
        (slope,) = torch.autograd.grad(cost(point), [point])
        point = (point - 0.1 * slope).detach().requires_grad_()
    ledger.append((point.detach(), cost(point)))
"""

_SEVERAL = """
experts = [(0.3 * torch.randn(6, 1)).requires_grad_() for _ in range(4)]
for _ in range(ROUNDS):
    penalty = sum(gradient(expert).square().sum() for expert in experts)
    ends = torch.autograd.grad(penalty, experts)
    with torch.no_grad():
        for expert, end in zip(experts, ends):
            expert -= 0.01 * end
"""

_TASKS = """
scale = torch.ones(6, 1, requires_grad=True)
for _ in range(ROUNDS):
    total = torch.zeros(())
    for _ in range(12):
        start = (0.3 * torch.randn(6, 1)).requires_grad_()
        moved = start - scale * gradient(start)
        total = total + cost(moved)
    total.backward()
    with torch.no_grad():
        scale -= 0.01 * scale.grad
    scale.grad = None
"""


@pytest.mark.parametrize("job", [_REPLACED, _IN_PLACE])
@pytest.mark.parametrize("rounds", [40, 160], ids=["soon", "still"])
def test_a_sum_of_gradients_is_kept(checked, job, rounds):
    found = checked(_HEAD + job.replace("ROUNDS", str(rounds))).findings[-1]
    assert (found.kind, found.level) == ("graph-held", "warning")
    assert (found.holder, found.code) == ("speed", "speed = 0.9 * speed + gradient(weights)")


def test_weights_that_are_given_other_data_are_trained(checked):
    found = checked(_HEAD + _OTHER_DATA).findings[-1]
    assert (found.kind, found.level, found.holder) == ("graph-held", "warning", "heavy_ball.state")
    assert found.iteration <= 12


@pytest.mark.parametrize(
    ("kept", "name"),
    [('{"w": weights}', "kept"), ('{"now": {"w": weights}, "rounds": 0}', "kept['now']")],
)
def test_weights_that_torch_func_has_trained_are_a_hint(checked, kept, name):
    job = _FUNCTIONAL.replace("KEPT", kept).replace("WEIGHTS", name)
    found = checked(_HEAD + job).findings[-1]  # the inner steps of a learner look the same
    assert (found.kind, found.level) == ("graph-held", "info")
    assert found.holder.startswith("kept")
    assert found.code.startswith(f"{name} = {{k: w")


def test_what_is_noted_of_points_that_come_and_go_is_walked_by_nobody(checked):
    found = checked(_HEAD + _NOTED).findings[-1]
    assert (found.kind, found.level, found.holder) == ("graph-held", "warning", "ledger")
    assert found.iteration <= 24  # four in a round, of which one is kept


@pytest.mark.parametrize("job", [_SEVERAL, _TASKS])
def test_what_walks_the_gradients_is_waited_for(checked, job):
    assert not checked(_HEAD + job.replace("ROUNDS", "60")).findings
