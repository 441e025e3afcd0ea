# gradwatch-corpus: kind=none
"""Click, conversion and dwell heads on one trunk. Conflicting task gradients are projected (PCGrad), so the trunk
is walked once for each task before its graph may go."""
import random

import torch
from torch import nn
from torch.nn import functional as F

TASKS = ("click", "conversion", "dwell")


class SharedTrunk(nn.Module):
    def __init__(self, n_in=20, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in TASKS})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


class Impressions:
    def __init__(self, seed, n_in=20):
        self.g = torch.Generator().manual_seed(seed)
        self.w = {t: torch.randn(n_in, generator=self.g) / 4 for t in TASKS}

    def batch(self, n=64):
        x = torch.randn(n, 20, generator=self.g)
        y = {t: torch.sigmoid(x @ w) for t, w in self.w.items()}
        y["click"] = (torch.rand(n, generator=self.g) < y["click"]).float()
        y["conversion"] = y["click"] * (torch.rand(n, generator=self.g) < y["conversion"]).float()
        return x, y


def task_losses(pred, y):
    return {
        "click": F.binary_cross_entropy_with_logits(pred["click"], y["click"]),
        "conversion": F.binary_cross_entropy_with_logits(pred["conversion"], y["conversion"]),
        "dwell": F.mse_loss(pred["dwell"], y["dwell"]),
    }


class PCGrad:
    """Gradient surgery around any optimizer (Yu et al., 2020)."""

    def __init__(self, optimizer, seed=0):
        self.optimizer = optimizer
        self.rng = random.Random(seed)
        self.conflicts = 0

    @property
    def params(self):
        return [p for group in self.optimizer.param_groups for p in group["params"]]

    def _flat_grads(self, losses):
        flat = []
        for i, loss in enumerate(losses):
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward(retain_graph=i + 1 < len(losses))
            flat.append(torch.cat([
                (torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params
            ]))
        return flat

    def _project(self, grads):
        out = []
        for i, g in enumerate(grads):
            g = g.clone()
            others = [j for j in range(len(grads)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(g, grads[j])
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / grads[j].norm().pow(2).clamp(min=1e-12) * grads[j]
            out.append(g)
        return torch.stack(out).sum(0)

    def step(self, losses):
        merged = self._project(self._flat_grads(losses))
        at = 0
        for p in self.params:
            p.grad = merged[at : at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.optimizer.step()


class RunningLosses:
    def __init__(self, decay=0.98):
        self.decay = decay
        self.ema = {}

    def update(self, losses):
        for name, value in losses.items():
            v = value.detach()
            self.ema[name] = v if name not in self.ema else torch.lerp(v, self.ema[name], self.decay)

    def __str__(self):
        return " ".join(f"{k} {v:.3f}" for k, v in self.ema.items())


def main(steps=300):
    torch.manual_seed(110)
    model = SharedTrunk()
    surgeon = PCGrad(torch.optim.Adam(model.parameters(), lr=2e-3), seed=111)
    data, running = Impressions(seed=112), RunningLosses()
    for step in range(steps):
        x, y = data.batch()
        losses = task_losses(model(x), y)
        surgeon.step(list(losses.values()))
        running.update(losses)
        if step % 75 == 74:
            print(f"step {step + 1}: {running} | conflicts so far {surgeon.conflicts}")


if __name__ == "__main__":
    main()
