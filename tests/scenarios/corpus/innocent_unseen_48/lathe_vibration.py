# gradwatch-corpus: kind=none
"""Tool wear and chatter from lathe vibration; conflicting task gradients are projected."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

SURGEONS = {}


def surgeon(name):
    def register(cls):
        SURGEONS[name] = cls
        return cls
    return register


@dataclass
class Job:
    surgeon: str = "project"
    steps: int = 75
    batch: int = 48
    lr: float = 3e-3


class Surgeon:
    def __init__(self, shared):
        self.shared = list(shared)
        self.clashes = 0

    def _flat(self):
        return torch.cat([p.grad.flatten() for p in self.shared])

    def _collect(self, losses):
        """One gradient of the shared part for each task."""
        flats, last = [], len(losses) - 1
        for i, loss in enumerate(losses):
            for p in self.shared:
                p.grad = None
            loss.backward(retain_graph=i < last)
            flats.append(self._flat())
        return flats

    def _spread(self, flat):
        pieces = flat.split([p.numel() for p in self.shared])
        for p, piece in zip(self.shared, pieces):
            p.grad = piece.view_as(p).clone()

    def backward(self, losses):
        self._spread(self.combine(self._collect(losses)))

    def combine(self, flats):
        raise NotImplementedError


@surgeon("sum")
class Plain(Surgeon):
    def combine(self, flats):
        return sum(flats)


@surgeon("project")
class Project(Surgeon):
    def combine(self, flats):
        out = []
        for i, g in enumerate(flats):
            for j, other in enumerate(flats):
                dot = g @ other
                if i != j and dot < 0:
                    g = g - dot / other.pow(2).sum() * other
                    self.clashes += 1
            out.append(g)
        return sum(out)


class LatheNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(32, 64), nn.SiLU(), nn.Linear(64, 32), nn.SiLU())
        self.wear = nn.Linear(32, 1)
        self.chatter = nn.Linear(32, 1)

    def forward(self, x):
        z = self.shared(x)
        return self.wear(z).squeeze(1), self.chatter(z).squeeze(1)


def spectra(job):
    mix = torch.randn(32, 2) / 4
    for _ in range(job.steps):
        x = torch.randn(job.batch, 32)
        hidden = x @ mix
        yield x, hidden[:, 0].tanh(), (hidden.sum(1) + 0.2 * torch.randn(job.batch) > 0).float()


class Trainer:
    def __init__(self, net, job):
        self.net, self.job = net, job
        self.opt = torch.optim.Adam(net.parameters(), lr=job.lr)
        self.surgeon = SURGEONS[job.surgeon](net.shared.parameters())
        self.log = []

    def run(self):
        for step, (x, wear, chatter) in enumerate(spectra(self.job)):
            w, c = self.net(x)
            losses = [F.mse_loss(w, wear), F.binary_cross_entropy_with_logits(c, chatter)]
            self.opt.zero_grad()
            self.surgeon.backward(losses)
            self.opt.step()
            self.log.append([loss.item() for loss in losses])
            if step % 15 == 0:
                print(f"step {step:2d} wear {self.log[-1][0]:.4f} chatter {self.log[-1][1]:.4f} clashes {self.surgeon.clashes}")


if __name__ == "__main__":
    torch.manual_seed(27)
    Trainer(LatheNet(), Job()).run()
