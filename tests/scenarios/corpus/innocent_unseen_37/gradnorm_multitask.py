# gradwatch-corpus: kind=none
from __future__ import annotations

import torch
from torch import Tensor, nn
import torch.nn.functional as F

torch.set_num_threads(1)


class ToyRegression:
    """The toy set of the GradNorm paper: tasks of the same shape, other scales."""

    def __init__(self, sigmas: tuple[float, ...], dim: int = 24, out: int = 10) -> None:
        g = torch.Generator().manual_seed(2018)
        self.sigmas = sigmas
        self.base = torch.randn(dim, out, generator=g) * 0.3
        self.eps = [torch.randn(dim, out, generator=g) * 0.1 for _ in sigmas]
        self.dim = dim
        self.g = g

    def batch(self, n: int) -> tuple[Tensor, list[Tensor]]:
        x = torch.randn(n, self.dim, generator=self.g)
        return x, [s * torch.tanh(x @ (self.base + e)) for s, e in zip(self.sigmas, self.eps)]


class MultiHead(nn.Module):
    def __init__(self, dim: int, hidden: int, out: int, tasks: int) -> None:
        super().__init__()
        self.lower = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU())
        self.shared = nn.Linear(hidden, hidden)
        self.heads = nn.ModuleList(nn.Linear(hidden, out) for _ in range(tasks))

    def forward(self, x: Tensor) -> list[Tensor]:
        z = F.relu(self.shared(self.lower(x)))
        return [h(z) for h in self.heads]


class GradNorm:
    def __init__(self, model: MultiHead, tasks: int, alpha: float = 0.12) -> None:
        self.model, self.tasks, self.alpha = model, tasks, alpha
        self.weights = torch.ones(tasks, requires_grad=True)
        self.initial: Tensor | None = None
        self.opt = torch.optim.Adam([
            {"params": model.parameters(), "lr": 1e-3},
            {"params": [self.weights], "lr": 1e-2},
        ])
        self.trace: list[dict[str, Tensor]] = []

    def step(self, x: Tensor, ys: list[Tensor]) -> Tensor:
        losses = torch.stack([F.mse_loss(p, y) for p, y in zip(self.model(x), ys)])
        if self.initial is None:
            self.initial = losses.detach()
        self.opt.zero_grad()
        total = (self.weights * losses).sum()
        total.backward(retain_graph=True)
        self.weights.grad = None

        W = self.model.shared.weight
        norms = []
        for i in range(self.tasks):
            (g,) = torch.autograd.grad(self.weights[i] * losses[i], W, create_graph=True, retain_graph=True)
            norms.append(g.norm())
        norms_t = torch.stack(norms)
        with torch.no_grad():
            ratio = losses / self.initial
            target = norms_t.mean() * (ratio / ratio.mean()) ** self.alpha
        gn_loss = (norms_t - target).abs().sum()
        (self.weights.grad,) = torch.autograd.grad(gn_loss, self.weights)
        self.opt.step()
        with torch.no_grad():
            self.weights.clamp_(min=1e-2)
            self.weights.mul_(self.tasks / self.weights.sum())
        self.trace.append({"loss": losses.detach(), "w": self.weights.detach().clone(), "gn": gn_loss.detach()})
        return total.detach()


def main(steps: int = 150) -> None:
    torch.manual_seed(2018)
    data = ToyRegression((1.0, 3.0, 10.0))
    trainer = GradNorm(MultiHead(data.dim, 40, 10, 3), 3)
    smoothed = None
    for k in range(steps):
        total = trainer.step(*data.batch(32))
        smoothed = total if smoothed is None else 0.9 * smoothed + 0.1 * total
        if k % 30 == 0:
            last = trainer.trace[-1]
            print(f"step {k:3d} total {smoothed.item():.3f} gn {last['gn'].item():.3f} "
                  f"weights {[round(v, 2) for v in last['w'].tolist()]}")
    rel = torch.stack([t["loss"] for t in trainer.trace[-10:]]).mean(0) / trainer.initial
    print("relative losses", rel.tolist())


if __name__ == "__main__":
    main()
