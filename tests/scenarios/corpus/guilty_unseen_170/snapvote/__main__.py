# gradwatch-corpus: kind=memory-climb
# holder: self.committee | run.committee | committee | self._modules | committee._modules
# first-bad: 0
# notice: 60
"""Snapshot voting: train one classifier on spirals, let its recent snapshots vote."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from .committee import Committee
from .data import Spirals


def classifier(width=520):
    return nn.Sequential(
        nn.Linear(34, width), nn.ReLU(),
        nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, 5),
    )


class Run:
    def __init__(self):
        self.data = Spirals()
        self.net = classifier()
        self.committee = Committee()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=40, eta_min=5e-3)

    def step(self, n):
        x, y = self.data.draw(64)
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.committee.enroll(n, self.net)  # <- culprit
        return loss.item()

    def validate(self):
        x, y = self.data.draw(256)
        vote = self.committee(x)
        return (vote.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(2)
    torch.set_num_threads(1)
    run = Run()
    for n in range(150):
        loss = run.step(n)
        if n % 25 == 24:
            print(f"{n:4d} loss {loss:.4f} vote {run.validate():.3f}")


if __name__ == "__main__":
    main()
