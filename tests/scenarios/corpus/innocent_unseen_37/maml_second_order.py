# gradwatch-corpus: kind=none
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)


@dataclass
class Cfg:
    tasks_per_batch: int = 4
    inner_steps: int = 3
    inner_lr: float = 0.05
    meta_lr: float = 2e-3
    iterations: int = 70


class LinearTasks:
    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.base = torch.randn(dim)

    def draw(self, k: int = 8) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        w = self.base + 0.5 * torch.randn(self.dim)
        x = torch.randn(2 * k, self.dim)
        y = torch.tanh(x @ w)
        return x[:k], y[:k], x[k:], y[k:]


class MAML:
    def __init__(self, net: nn.Module, cfg: Cfg) -> None:
        self.net = net
        self.cfg = cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.meta_lr)
        self.fast: dict[str, Tensor] = {}
        self.trajectory: list[dict[str, Tensor]] = []

    def predict(self, x: Tensor) -> Tensor:
        return functional_call(self.net, self.fast, (x,)).squeeze(-1)

    def adapt(self, x: Tensor, y: Tensor) -> None:
        self.fast = dict(self.net.named_parameters())
        self.trajectory = [self.fast]
        for _ in range(self.cfg.inner_steps):
            loss = F.mse_loss(self.predict(x), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {n: w - self.cfg.inner_lr * g for (n, w), g in zip(self.fast.items(), grads)}
            self.trajectory.append(self.fast)

    def drift(self) -> float:
        first, last = self.trajectory[0], self.trajectory[-1]
        with torch.no_grad():
            return sum((last[n] - first[n]).pow(2).sum().item() for n in first) ** 0.5

    def meta_step(self, tasks: LinearTasks) -> tuple[float, float]:
        self.opt.zero_grad()
        outer: list[Tensor] = []
        drift = 0.0
        for _ in range(self.cfg.tasks_per_batch):
            xs, ys, xq, yq = tasks.draw()
            self.adapt(xs, ys)
            outer.append(F.mse_loss(self.predict(xq), yq))
            drift += self.drift() / self.cfg.tasks_per_batch
        meta = torch.stack(outer).mean()
        meta.backward()
        self.opt.step()
        return meta.item(), drift


def main() -> None:
    torch.manual_seed(13)
    cfg = Cfg()
    net = nn.Sequential(nn.Linear(6, 20), nn.Softplus(), nn.Linear(20, 1))
    learner = MAML(net, cfg)
    tasks = LinearTasks(6)
    curve: list[float] = []
    for it in range(cfg.iterations):
        q, d = learner.meta_step(tasks)
        curve.append(q)
        if it % 14 == 0:
            print(f"meta {it:3d} query {q:.4f} drift {d:.4f}")
    print("mean of the last ten", sum(curve[-10:]) / 10)


if __name__ == "__main__":
    main()
