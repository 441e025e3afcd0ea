# gradwatch-corpus: kind=graph-held
# holder: delta.grad | wobble.delta.grad | probe.delta.grad
# first-bad: 1
# notice: 8
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(77)


@dataclass
class Wobble:
    delta: torch.Tensor
    radius: float

    @classmethod
    def fresh(cls, shape, radius):
        return cls(torch.zeros(shape, requires_grad=True), radius)


class PhaseArray(nn.Module):
    def __init__(self, elements=6):
        super().__init__()
        self.encode = nn.Linear(elements, 20)
        self.steer = nn.Linear(20, 2)

    def forward(self, phase):
        return self.steer(torch.nn.functional.softplus(self.encode(phase)))


class Smoothness:
    """Penalises the response of the beam to small phase errors."""

    def __init__(self, model, radius=0.1, weight=0.5):
        self.model, self.radius, self.weight = model, radius, weight

    def __call__(self, phase, aim):
        probe = Wobble.fresh(phase.shape, self.radius)
        miss = (self.model(phase + probe.radius * probe.delta) - aim).square().sum()
        miss.backward(create_graph=True)  # <- culprit
        return miss / len(phase), self.weight * probe.delta.grad.square().sum(1).mean()


class Calibration:
    def __init__(self):
        self.model = PhaseArray()
        self.rule = Smoothness(self.model)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=5e-3)

    def run(self, n):
        for _ in range(n):
            phase = torch.rand(18, 6) * 2 - 1
            aim = torch.stack([phase.sum(1), phase[:, 0] - phase[:, 5]], 1) * 0.3
            miss, smooth = self.rule(phase, aim)
            self.opt.zero_grad()
            (miss + smooth).backward()
            self.opt.step()
        return miss.item(), smooth.item()


print("miss %.4f smooth %.5f" % Calibration().run(420))
