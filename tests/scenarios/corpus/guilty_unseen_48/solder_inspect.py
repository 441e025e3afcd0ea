# gradwatch-corpus: kind=memory-climb
# holder: self.ring | guard.ring | self.snapshots.ring | guard.snapshots.ring
# first-bad: 4
# notice: 100
"""Good or bad solder joints from small images; steps that go wrong are rolled back."""
import copy
import math
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class SnapshotRing:
    keep: int = 4
    ring: deque = field(default_factory=deque)

    def push(self, step, state):
        self.ring.append((step, copy.deepcopy(state)))  # <- culprit

    def newest(self):
        return self.ring[-1]

    def oldest_kept(self):
        return self.ring[-min(self.keep, len(self.ring))]


class Hook:
    def before_step(self, trainer, step):
        pass

    def after_step(self, trainer, step, loss):
        pass


class RollbackGuard(Hook):
    def __init__(self, keep, factor):
        self.snapshots = SnapshotRing(keep)
        self.factor = factor
        self.level = None
        self.rolled = 0

    def before_step(self, trainer, step):
        self.snapshots.push(step, trainer.net.state_dict())  # <- culprit

    def after_step(self, trainer, step, loss):
        if self.level is not None and (math.isnan(loss) or loss > self.factor * self.level):
            good, state = self.snapshots.oldest_kept()
            trainer.net.load_state_dict(state)
            self.rolled += 1
            print(f"step {step}: loss {loss:.3f}, back to the weights of step {good}")
        self.level = loss if self.level is None else 0.9 * self.level + 0.1 * loss


class Progress(Hook):
    def __init__(self, every):
        self.every = every

    def after_step(self, trainer, step, loss):
        if step % self.every == 0:
            print(f"step {step:3d} loss {loss:.4f}")


def joints(n, size=24, side=16):
    grid = torch.stack(torch.meshgrid(*[torch.linspace(-1, 1, side)] * 2, indexing="ij"))
    for _ in range(n):
        bad = torch.randint(0, 2, (size,))
        centre = 0.3 * torch.randn(size, 2, 1, 1)
        radius = ((grid - centre) ** 2).sum(1).sqrt()
        image = torch.exp(-(radius / (0.35 + 0.25 * bad.view(-1, 1, 1))) ** 2)
        yield image.unsqueeze(1) + 0.15 * torch.randn(size, 1, side, side), bad


class Trainer:
    def __init__(self, net, hooks, lr):
        self.net, self.hooks = net, hooks
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, nesterov=True)

    def one(self, image, bad):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(image), bad)
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self, batches):
        for step, batch in enumerate(batches):
            for h in self.hooks:
                h.before_step(self, step)
            loss = self.one(*batch)
            for h in self.hooks:
                h.after_step(self, step, loss)


def main():
    torch.manual_seed(12)
    net = nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Flatten(),
        nn.Linear(512, 160), nn.ReLU(), nn.Linear(160, 2),
    )
    guard = RollbackGuard(keep=4, factor=2.5)
    Trainer(net, [guard, Progress(30)], lr=0.02).run(joints(180))
    print(f"{guard.rolled} rollbacks, newest snapshot from step {guard.snapshots.newest()[0]}")


if __name__ == "__main__":
    main()
