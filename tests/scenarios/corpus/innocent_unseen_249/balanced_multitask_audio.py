# gradwatch-corpus: kind=none
"""Audio multi-task net; task weights follow gradient norms at the shared layer."""
from dataclasses import dataclass
from dataclasses import field
from typing import Dict

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class TaskConfig:
    mels: int = 20
    batch: int = 24
    steps: int = 110
    lr: float = 2e-3
    tasks: Dict[str, int] = field(default_factory=lambda: {"genre": 5, "tempo": 1})


class NormBalancer:
    """Keeps one weight per task, inversely related to its gradient norm."""

    def __init__(self, names, inertia=0.9):
        self.weights = {name: 1.0 for name in names}
        self.inertia = inertia

    def refresh(self, losses, anchor):
        norms = {}
        for name, loss in losses.items():
            grad, = torch.autograd.grad(loss, anchor, retain_graph=True)
            norms[name] = grad.norm().item() + 1e-8
        mean = sum(norms.values()) / len(norms)
        for name, norm in norms.items():
            fresh = mean / norm
            self.weights[name] = self.inertia * self.weights[name] + (1 - self.inertia) * fresh

    def combine(self, losses):
        return sum(self.weights[name] * loss for name, loss in losses.items())


class SharedTrunk(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.stem = nn.Linear(cfg.mels, 40)
        self.shared = nn.Linear(40, 32)
        self.heads = nn.ModuleDict({k: nn.Linear(32, n) for k, n in cfg.tasks.items()})

    def forward(self, mel):
        h = torch.relu(self.shared(torch.relu(self.stem(mel))))
        return {name: head(h) for name, head in self.heads.items()}


class TrackLibrary:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(64)
        self.prints = torch.randn(cfg.tasks["genre"], cfg.mels, generator=self.gen)

    def draw(self):
        genre = torch.randint(self.cfg.tasks["genre"], (self.cfg.batch,), generator=self.gen)
        tempo = torch.rand(self.cfg.batch, 1, generator=self.gen)
        noise = torch.randn(self.cfg.batch, self.cfg.mels, generator=self.gen)
        return self.prints[genre] * (0.5 + tempo) + 0.3 * noise, genre, tempo


class TaskRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = SharedTrunk(cfg)
        self.balancer = NormBalancer(cfg.tasks)
        self.library = TrackLibrary(cfg)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.totals = {name: 0.0 for name in cfg.tasks}

    def step(self):
        mel, genre, tempo = self.library.draw()
        out = self.net(mel)
        losses = {
            "genre": F.cross_entropy(out["genre"], genre),
            "tempo": F.mse_loss(out["tempo"], tempo),
        }
        self.balancer.refresh(losses, self.net.shared.weight)
        self.optimizer.zero_grad()
        self.balancer.combine(losses).backward()
        self.optimizer.step()
        for name, loss in losses.items():
            self.totals[name] += loss.item()


def main():
    torch.manual_seed(63)
    runner = TaskRunner(TaskConfig())
    for step in range(1, runner.cfg.steps + 1):
        runner.step()
        if step % 22 == 0:
            shown = {k: round(v / step, 4) for k, v in runner.totals.items()}
            weights = {k: round(v, 2) for k, v in runner.balancer.weights.items()}
            print(step, shown, weights)


if __name__ == "__main__":
    main()
