# gradwatch-corpus: kind=none
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


class ActivationTap:
    def __init__(self, model, kinds):
        self.outputs = {}
        self.handles = [
            m.register_forward_hook(self._make(name)) for name, m in model.named_modules() if isinstance(m, kinds)
        ]

    def _make(self, name):
        def hook(module, args, out):
            self.outputs[name] = out

        return hook

    def close(self):
        for h in self.handles:
            h.remove()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


class RunningStats:
    def __init__(self, decay=0.97):
        self.decay = decay
        self.mean = {}

    def absorb(self, outputs):
        for name, out in outputs.items():
            now = out.detach().mean(0)
            old = self.mean.get(name, now)
            self.mean[name] = self.decay * old + (1 - self.decay) * now

    def penalty(self, outputs):
        return sum((out.mean(0) - self.mean[n]).pow(2).mean() for n, out in outputs.items())


@dataclass
class StepResult:
    loss: torch.Tensor
    logits: torch.Tensor
    features: dict


@dataclass
class ProbeConfig:
    steps: int = 420
    batch: int = 32
    lr: float = 0.02
    sparsity: float = 1e-3
    drift: float = 0.1
    window: int = 12


class Session:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.RMSprop(model.parameters(), lr=cfg.lr / 10)
        self.stats = RunningStats()
        self.recent = deque(maxlen=cfg.window)
        self.best = None

    def step(self, tap, x, y):
        logits = self.model(x)
        self.stats.absorb(tap.outputs)
        sparse = sum(out.abs().mean() for out in tap.outputs.values())
        loss = F.cross_entropy(logits, y) + self.cfg.sparsity * sparse + self.cfg.drift * self.stats.penalty(tap.outputs)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.recent.append(StepResult(loss, logits, dict(tap.outputs)))
        if self.best is None or loss < self.best.loss:
            self.best = self.recent[-1]

    def trend(self):
        losses = torch.stack([r.loss for r in self.recent])
        return losses.mean().item(), losses.std().item() if len(losses) > 1 else 0.0


def rings(cfg, seed=33):
    g = torch.Generator().manual_seed(seed)
    for _ in range(cfg.steps):
        y = torch.randint(3, (cfg.batch,), generator=g)
        r = 1.0 + y + 0.2 * torch.randn(cfg.batch, generator=g)
        a = 6.2832 * torch.rand(cfg.batch, generator=g)
        yield torch.stack([r * a.cos(), r * a.sin()], -1), y


def main():
    torch.manual_seed(3)
    cfg = ProbeConfig()
    model = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 3))
    session = Session(model, cfg)
    with ActivationTap(model, nn.ReLU) as tap:
        for step, (x, y) in enumerate(rings(cfg)):
            session.step(tap, x, y)
            if step % 140 == 0:
                print(step, "mean %.4f std %.4f" % session.trend(), f"best {session.best.loss.item():.4f}")


if __name__ == "__main__":
    main()
