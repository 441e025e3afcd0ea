# gradwatch-corpus: kind=second-backward
# first-bad: 24
# notice: 0
"""Depth and normals from patches with one trunk; a callback measures how far the tasks disagree."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from .hooks import Callbacks, History, TaskConflict


class MultiTask(nn.Module):
    def __init__(self, dim=36, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.depth = nn.Linear(width, 1)
        self.normal = nn.Linear(width, 3)

    def forward(self, x):
        h = self.trunk(x)
        return self.depth(h).squeeze(-1), F.normalize(self.normal(h), dim=-1)


class Patches:
    def __init__(self, seed=81):
        self.gen = torch.Generator().manual_seed(seed)
        self.wd = torch.randn(36, generator=self.gen) / 6
        self.wn = torch.randn(36, 3, generator=self.gen) / 6

    def draw(self, n=40):
        x = torch.randn(n, 36, generator=self.gen)
        return x, torch.sin(x @ self.wd), F.normalize(x @ self.wn, dim=-1)


class Trainer:
    def __init__(self, callbacks):
        self.model = MultiTask()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.callbacks = callbacks
        self.weights = {"depth": 1.0, "normal": 0.7}
        self.iteration = 0

    def losses(self, x, depth, normal):
        d, n = self.model(x)
        return {"depth": F.l1_loss(d, depth), "normal": (1 - (n * normal).sum(-1)).mean()}

    def step(self, *batch):
        losses = self.losses(*batch)
        total = sum(self.weights[k] * v for k, v in losses.items())
        self.opt.zero_grad()
        total.backward()  # <- culprit
        self.callbacks.fire("after_backward", self, losses)
        self.opt.step()
        self.callbacks.fire("after_step", self, losses)
        self.iteration += 1


def main():
    torch.manual_seed(80)
    torch.set_num_threads(1)
    history = History()
    trainer = Trainer(Callbacks(history, TaskConflict()))
    data = Patches()
    for it in range(100):
        trainer.step(*data.draw())
        if it % 8 == 0:
            print(it, history.rows[-1])


if __name__ == "__main__":
    main()
