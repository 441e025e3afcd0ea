# gradwatch-corpus: kind=graph-chain
# holder: fast | self.fast | learner.fast
# first-bad: 1
from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)


@dataclass
class MetaConfig:
    inner_lr: float = 0.02
    meta_lr: float = 1e-3
    inner_steps: int = 1
    shots: int = 10
    meta_iterations: int = 64
    width: int = 16
    seed: int = 7


class SineTasks:
    def __init__(self, seed: int):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, k: int):
        a = 0.5 + 2 * torch.rand(1, generator=self.g)
        ph = math.pi * torch.rand(1, generator=self.g)
        x = 10 * torch.rand(2 * k, 1, generator=self.g) - 5
        y = a * torch.sin(x + ph)
        return (x[:k], y[:k]), (x[k:], y[k:])


class MetaLearner:
    def __init__(self, cfg: MetaConfig):
        self.cfg = cfg
        self.net = nn.Sequential(nn.Linear(1, cfg.width), nn.Tanh(), nn.Linear(cfg.width, 1))
        self.meta_opt = torch.optim.Adam(self.net.parameters(), lr=cfg.meta_lr)
        self.fast = {n: p.clone() for n, p in self.net.named_parameters()}  # <- culprit

    def adapt(self, x, y) -> dict[str, torch.Tensor]:
        for _ in range(self.cfg.inner_steps):
            inner = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(inner, list(self.fast.values()), create_graph=True)
            self.fast = {  # <- culprit
                n: w - self.cfg.inner_lr * g.clamp(-1, 1)  # <- culprit
                for (n, w), g in zip(self.fast.items(), grads)
            }
        return self.fast

    def meta_step(self, task) -> float:
        (xs, ys), (xq, yq) = task
        fast = self.adapt(xs, ys)
        outer = F.mse_loss(functional_call(self.net, fast, (xq,)), yq)
        self.meta_opt.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.meta_opt.step()
        return outer.item()


def main() -> None:
    cfg = MetaConfig()
    torch.manual_seed(cfg.seed)
    tasks = SineTasks(cfg.seed)
    learner = MetaLearner(cfg)
    avg = 0.0
    for it in range(cfg.meta_iterations):
        q = learner.meta_step(tasks.sample(cfg.shots))
        avg = q if it == 0 else 0.9 * avg + 0.1 * q
        if it % 16 == 0:
            print(f"[meta {it:03d}] query loss {q:.4f} (smoothed {avg:.4f})")
    print("done", round(avg, 4))


if __name__ == "__main__":
    main()
