"""Losses made anew of numbers, to require a gradient of their own: nothing is trained by them."""

import pytest

JOB = """
import torch
from torch import nn

net = nn.Linear(4, 1)
alone = nn.Parameter(torch.tensor(1.0))
optimizer = torch.optim.SGD([*net.parameters(), alone], 0.01)
for number in range(20):
    mean = net(torch.randn(8, 4)).square().mean()
    {made}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "made",
    [
        "loss = torch.tensor(mean.item(), requires_grad=True)",
        "loss = mean.detach().requires_grad_()",
    ],
)
def test_it_is_told_where_the_loss_was_cut_off(checked, made):
    (found,) = checked(JOB.format(made=made)).findings
    assert (found.kind, found.level, found.holder) == ("graph-unused", "warning", "loss")
    assert found.code == made
    assert "train nothing" in found.message


@pytest.mark.parametrize(
    "made",
    [
        "loss = alone",
        "loss = mean if number % 4 else torch.zeros(()).requires_grad_()",
        "loss = mean if number > 2 else torch.zeros(()).requires_grad_()",
    ],
    ids=["it is trained itself", "now and then", "the first few"],
)
def test_a_leaf_may_have_a_backward(checked, made):
    told = checked(JOB.format(made=made)).findings
    assert not [each for each in told if each.level != "info"]
