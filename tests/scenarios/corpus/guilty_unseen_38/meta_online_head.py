# gradwatch-corpus: kind=graph-chain
# holder: w | b | learner | learner.gi_frame.f_locals["w"] | learner.gi_frame.f_locals["b"]
# first-bad: 1
"""Online meta learning: slow trunk (Adam), fast linear head adapted on the fly.

The stream is a sine whose amplitude and phase drift; at each step the head sees a
support set, adapts by one SGD step, and the trunk is trained on the query set.
"""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Cfg:
    hidden: int = 40
    feat: int = 24
    shots: int = 16
    queries: int = 48
    inner_lr: float = 0.05
    outer_lr: float = 2e-3
    steps: int = 120
    seed: int = 11


class Trunk(nn.Module):
    def __init__(self, hidden, feat):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(1, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, feat), nn.Tanh(),
        )

    def forward(self, x):
        return self.net(x)


class DriftingSine:
    """Amplitude and phase do a slow random walk."""

    def __init__(self, rng):
        self.rng = rng
        self.amp = rng.uniform(0.5, 2.0)
        self.phase = rng.uniform(0, np.pi)

    def advance(self):
        self.amp = float(np.clip(self.amp + 0.05 * self.rng.normal(), 0.3, 3.0))
        self.phase += 0.05 * self.rng.normal()

    def draw(self, n):
        x = self.rng.uniform(-3, 3, size=(n, 1))
        y = self.amp * np.sin(x + self.phase) + 0.02 * self.rng.normal(size=x.shape)
        return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


def fast_head(init: nn.Linear, lr: float):
    """Coroutine: send it (features, targets), get back adapted (w, b)."""
    w, b = init.weight, init.bias
    feats, target = yield
    while True:
        inner = F.mse_loss(F.linear(feats, w, b), target)
        gw, gb = torch.autograd.grad(inner, (w, b))
        w = w - lr * gw  # <- culprit
        b = b - lr * gb  # <- culprit
        feats, target = yield w, b


def run(cfg: Cfg):
    torch.manual_seed(cfg.seed)
    task = DriftingSine(np.random.default_rng(cfg.seed))

    trunk = Trunk(cfg.hidden, cfg.feat)
    head_init = nn.Linear(cfg.feat, 1)
    outer = torch.optim.Adam(
        [{"params": trunk.parameters()}, {"params": head_init.parameters(), "lr": 1e-4}],
        lr=cfg.outer_lr,
    )

    learner = fast_head(head_init, cfg.inner_lr)
    next(learner)

    smoothed = None
    for step in range(cfg.steps):
        task.advance()
        xs, ys = task.draw(cfg.shots)
        xq, yq = task.draw(cfg.queries)

        with torch.no_grad():
            support = trunk(xs)
        w, b = learner.send((support, ys))

        loss = F.mse_loss(F.linear(trunk(xq), w, b), yq)
        outer.zero_grad()
        loss.backward()
        outer.step()

        value = loss.item()
        smoothed = value if smoothed is None else 0.9 * smoothed + 0.1 * value
        if step % 30 == 29:
            print(f"step {step + 1:4d}  query mse {value:.4f}  (avg {smoothed:.4f})  amp {task.amp:.2f}")
    learner.close()


if __name__ == "__main__":
    run(Cfg())
