# gradwatch-corpus: kind=second-backward
# holder: mixer.previous | self.previous
# first-bad: 1
# notice: 0
# Surrogate for a stirred-tank reactor with three outputs; weights follow how fast each output's error falls.
from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(27)


@dataclass
class RateMixer:
    heat: float = 1.5
    previous: Optional[torch.Tensor] = None

    def __call__(self, errors: torch.Tensor) -> torch.Tensor:
        if self.previous is None:
            weights = torch.ones_like(errors)
        else:
            weights = len(errors) * torch.softmax(errors.detach() / self.previous / self.heat, 0)
        self.previous = errors  # <- culprit
        return (weights * errors).sum()


class Surrogate(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.utils.parametrizations.weight_norm(nn.Linear(4, 20))
        self.leave = nn.Linear(20, 3)

    def forward(self, feed):
        return self.leave(torch.nn.functional.mish(self.enter(feed)))


def plant(n):
    feed = torch.rand(n, 4)
    conv = 1 - torch.exp(-3 * feed[:, 0] * feed[:, 1])
    temp = 0.5 + conv * feed[:, 2]
    press = temp * feed[:, 3]
    return feed, torch.stack([conv, temp, press], 1)


def train(steps):
    net, mixer = Surrogate(), RateMixer()
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    for s in range(steps):
        feed, out = plant(24)
        errors = (net(feed) - out).square().mean(0)
        opt.zero_grad()
        mixer(errors).backward()
        opt.step()
        if s % 100 == 99:
            print(s + 1, errors.tolist())


train(400)
