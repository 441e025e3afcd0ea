# gradwatch-corpus: kind=none
"""Learning to reweight examples under label noise (after Ren et al.): the weight of each
example comes from a look-ahead step, differentiated through against a small clean set."""
from typing import Dict, Iterator, List, Tuple

import torch
from torch import Tensor, nn
from torch.func import functional_call
import torch.nn.functional as F

Batch = Tuple[Tensor, Tensor, Tensor]


def two_moons(n: int, gen: torch.Generator) -> Tuple[Tensor, Tensor]:
    y = torch.randint(2, (n,), generator=gen)
    angle = torch.pi * torch.rand(n, generator=gen)
    x = torch.stack([torch.cos(angle), torch.sin(angle)], 1)
    x[y == 1] = torch.tensor([1.0, 0.5]) - x[y == 1]
    return x + 0.1 * torch.randn(n, 2, generator=gen), y


class NoisyMoons:
    def __init__(self, n: int, flip: float, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.x, self.y_true = two_moons(n, self.gen)
        self.flipped = (torch.rand(n, generator=self.gen) < flip) & (self.y_true == 0)
        self.y = torch.where(self.flipped, 1 - self.y_true, self.y_true)
        self.clean = two_moons(40, self.gen)

    def batches(self, size: int) -> Iterator[Batch]:
        while True:
            perm = torch.randperm(len(self.y), generator=self.gen)
            for idx in perm.split(size):
                if len(idx) == size:
                    yield self.x[idx], self.y[idx], self.flipped[idx]


class MLP(nn.Module):
    def __init__(self, hidden: int = 32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 2))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class Reweighter:
    def __init__(self, model: nn.Module, clean: Tuple[Tensor, Tensor], look_ahead_lr: float):
        self.model, self.clean, self.lr = model, clean, look_ahead_lr
        self.last_weights: Tensor = torch.empty(0)

    def look_ahead(self, eps: Tensor, x: Tensor, y: Tensor) -> Dict[str, Tensor]:
        """The parameters after one plain gradient step on the eps-weighted loss."""
        params = dict(self.model.named_parameters())
        cost = F.cross_entropy(functional_call(self.model, params, (x,)), y, reduction="none")
        grads = torch.autograd.grad((eps * cost).sum(), list(params.values()), create_graph=True)
        return {k: p - self.lr * g for (k, p), g in zip(params.items(), grads)}

    def __call__(self, x: Tensor, y: Tensor) -> Tensor:
        eps = torch.zeros(len(y), requires_grad=True)
        shifted = self.look_ahead(eps, x, y)
        xc, yc = self.clean
        clean_loss = F.cross_entropy(functional_call(self.model, shifted, (xc,)), yc)
        (grad_eps,) = torch.autograd.grad(clean_loss, eps)
        w = (-grad_eps).clamp(min=0)
        self.last_weights = w / w.sum().clamp(min=1e-8)
        return self.last_weights


class Tracker:
    """Share of the total weight that falls on flipped labels."""

    def __init__(self) -> None:
        self.shares: List[float] = []

    def update(self, weights: Tensor, flipped: Tensor) -> None:
        self.shares.append(weights[flipped].sum().item())

    def recent(self, n: int) -> float:
        tail = self.shares[-n:]
        return sum(tail) / len(tail)


def accuracy(model: nn.Module, x: Tensor, y: Tensor) -> float:
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def train(steps: int = 500, batch_size: int = 64) -> None:
    torch.manual_seed(31)
    data = NoisyMoons(2000, flip=0.45, seed=32)
    model = MLP()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    reweight = Reweighter(model, data.clean, look_ahead_lr=0.1)
    tracker = Tracker()
    for step, (x, y, flipped) in enumerate(data.batches(batch_size)):
        if step == steps:
            break
        weights = reweight(x, y)
        loss = (weights * F.cross_entropy(model(x), y, reduction="none")).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        tracker.update(reweight.last_weights, flipped)
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.item():.3f} weight on flipped {tracker.recent(100):.3f} "
                  f"true accuracy {accuracy(model, data.x, data.y_true):.3f}")


if __name__ == "__main__":
    train()
