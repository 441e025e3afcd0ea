# gradwatch-corpus: kind=graph-held
# holder: SoftGate.intake | cls.intake
# first-bad: 1
# notice: 8
"""Ground vibration from blast plans; a thresholded gate with a straight-through gradient."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Plan:
    steps: int = 100
    batch: int = 32
    lr: float = 4e-3
    width: int = 24
    report: int = 25
    seed: int = 8


class SoftGate(torch.autograd.Function):
    intake = []

    @staticmethod
    def forward(ctx, x, bound):
        SoftGate.intake.append(x)  # <- culprit
        ctx.bound = bound
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * (x.abs() < ctx.bound), None

    @classmethod
    def open_share(cls, last):
        with torch.no_grad():
            return torch.cat([t.flatten() for t in cls.intake[-last:]]).gt(0).float().mean().item()


class Vibration(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.geology = nn.Sequential(nn.Linear(5, width), nn.Tanh())
        self.gate = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = self.geology(x)
        return self.out(h * SoftGate.apply(self.gate(h), 1.5)).squeeze(1)


def blasts(plan):
    for _ in range(plan.steps):
        x = torch.rand(plan.batch, 5)
        charge, distance = x[:, 0] + 0.1, x[:, 1] + 0.3
        yield x, torch.log(charge.sqrt() / distance) + 0.05 * torch.randn(plan.batch)


def main(plan=Plan()):
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed)
    net = Vibration(plan.width)
    opt = torch.optim.Adam(net.parameters(), lr=plan.lr)
    for step, (x, y) in enumerate(blasts(plan), 1):
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % plan.report == 0:
            print(f"{step:4d} mse {loss.item():.4f}  gates open {SoftGate.open_share(plan.report):.0%}")


main()
