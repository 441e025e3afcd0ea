# gradwatch-corpus: kind=none
# after: GradNorm re-implementations (retain_graph=True that is needed: per-task gradient norms on the shared layer)
"""Fundus photographs, three tasks (grade, vessel density, age) balanced with GradNorm."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Options:
    batch: int = 24
    steps: int = 150
    lr: float = 2e-3
    weight_lr: float = 1e-2
    alpha: float = 1.0
    width: int = 16
    log_every: int = 30


class Fundus:
    def __init__(self, seed: int) -> None:
        self.g = torch.Generator().manual_seed(seed)
        self.maps = torch.randn(3, 3, 20, 20, generator=self.g)

    def batch(self, n: int) -> tuple[Tensor, dict[str, Tensor]]:
        latent = torch.randn(n, 3, generator=self.g)
        x = torch.einsum("nk,kchw->nchw", latent, self.maps)
        x = x + 0.5 * torch.randn(x.shape, generator=self.g)
        return x, {
            "grade": torch.bucketize(latent[:, 0], torch.tensor([-0.8, 0.0, 0.8])),
            "vessels": torch.sigmoid(latent[:, 1]),
            "age": 10 * latent[:, 2] + 5 * latent[:, 0],
        }


class MultiTaskNet(nn.Module):
    def __init__(self, w: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(3, w, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(w, w, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(),
        )
        self.shared = nn.Linear(25 * w, 48)
        self.heads = nn.ModuleDict({"grade": nn.Linear(48, 4), "vessels": nn.Linear(48, 1), "age": nn.Linear(48, 1)})

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        h = F.relu(self.shared(self.trunk(x)))
        return {name: head(h).squeeze(-1) for name, head in self.heads.items()}


def task_losses(out: Mapping[str, Tensor], target: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        "grade": F.cross_entropy(out["grade"], target["grade"]),
        "vessels": F.binary_cross_entropy_with_logits(out["vessels"], target["vessels"]),
        "age": F.mse_loss(out["age"], target["age"]),
    }


class GradNorm:
    def __init__(self, tasks: list[str], shared: Tensor, alpha: float, lr: float) -> None:
        self.tasks, self.shared, self.alpha = tasks, shared, alpha
        self.weights = nn.Parameter(torch.ones(len(tasks)))
        self.opt = torch.optim.Adam([self.weights], lr=lr)
        self.first: Tensor | None = None

    def update(self, losses: Tensor) -> None:
        """Set the gradient of the task weights; the graph of the losses is needed again afterwards."""
        if self.first is None:
            self.first = losses.detach().clone()
        norms = torch.stack([
            torch.autograd.grad(loss, self.shared, retain_graph=True)[0].norm() for loss in losses
        ])
        weighted = self.weights * norms
        rate = losses.detach() / self.first
        goal = (weighted.mean() * (rate / rate.mean()) ** self.alpha).detach()
        self.opt.zero_grad()
        (weighted - goal).abs().sum().backward()
        self.opt.step()
        with torch.no_grad():
            self.weights.clamp_(min=0.05)
            self.weights.mul_(len(self.tasks) / self.weights.sum())


def main() -> None:
    opt = Options()
    torch.manual_seed(6)
    data, net = Fundus(6), MultiTaskNet(opt.width)
    optimizer = torch.optim.Adam(net.parameters(), lr=opt.lr)
    balance = GradNorm(list(net.heads), net.shared.weight, opt.alpha, opt.weight_lr)
    for step in range(1, opt.steps + 1):
        x, target = data.batch(opt.batch)
        losses = task_losses(net(x), target)
        stacked = torch.stack([losses[t] for t in balance.tasks])
        balance.update(stacked)
        optimizer.zero_grad()
        (balance.weights.detach() * stacked).sum().backward()
        optimizer.step()
        if step % opt.log_every == 0:
            parts = "  ".join(f"{t} {v:.3f} (w {w:.2f})" for t, v, w in
                              zip(balance.tasks, stacked.tolist(), balance.weights.tolist()))
            print(f"step {step:4d}  {parts}")


if __name__ == "__main__":
    main()
