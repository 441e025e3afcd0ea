# gradwatch-corpus: kind=graph-chain
# holder: self.anchors | self.anchors[name] | self.anchor.anchors | trainer.anchors | tuner.anchors | tuner.anchors[name] | self.anchors["0.weight"] | tuner.regularisers[1].anchors
# first-bad: 1
"""Fine-tunes a small valve-fault classifier while pulling it towards a slowly moving
average of its own weights, so that a noisy week of data does not carry it away."""
import abc
from typing import Dict, Iterator, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Batch(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class Regulariser(abc.ABC):
    def setup(self, model: nn.Module) -> None:
        ...

    @abc.abstractmethod
    def penalty(self, model: nn.Module) -> torch.Tensor:
        ...

    def after_step(self, model: nn.Module) -> None:
        ...


class L2(Regulariser):
    def __init__(self, strength: float):
        self.strength = strength

    def penalty(self, model):
        return self.strength * sum(p.square().sum() for p in model.parameters())


class MovingAnchor(Regulariser):
    """strength * ||w - anchor||^2 with anchor <- decay * anchor + (1 - decay) * w."""

    def __init__(self, strength: float, decay: float = 0.98):
        self.strength, self.decay = strength, decay
        self.anchors: Dict[str, torch.Tensor] = {}

    def setup(self, model):
        self.anchors = {n: p.detach().clone() for n, p in model.named_parameters()}

    def penalty(self, model):
        gap = sum((p - self.anchors[n]).square().sum() for n, p in model.named_parameters())  # <- culprit
        return self.strength * gap

    def after_step(self, model):
        for name, p in model.named_parameters():
            self.anchors[name] = torch.lerp(self.anchors[name], p, 1 - self.decay)  # <- culprit


class RegularisedMixin:
    regularisers: list

    def regularise(self, loss):
        for r in self.regularisers:
            loss = loss + r.penalty(self.model)
        return loss

    def advance(self):
        self.optimizer.step()
        for r in self.regularisers:
            r.after_step(self.model)


class FineTuner(RegularisedMixin):
    def __init__(self, model: nn.Module, *regularisers: Regulariser, lr: float = 0.03):
        self.model = model
        self.regularisers = list(regularisers)
        for r in self.regularisers:
            r.setup(model)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def step(self, batch: Batch) -> float:
        self.optimizer.zero_grad()
        loss = self.regularise(F.cross_entropy(self.model(batch.x), batch.y))
        loss.backward()
        self.advance()
        return loss.item()


def valve_readings(n: int, seed: int) -> Iterator[Batch]:
    gen = torch.Generator().manual_seed(seed)
    proto = torch.randn(5, 16, generator=gen)
    for k in range(n):
        y = torch.randint(5, (32,), generator=gen)
        noise = 1.0 + (k % 70 > 50)
        yield Batch(proto[y] + noise * torch.randn(32, 16, generator=gen), y)


def main(steps: int = 220) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(16, 24), nn.Tanh(), nn.Linear(24, 5))
    tuner = FineTuner(model, L2(1e-4), MovingAnchor(0.05))
    recent = 0.0
    for k, batch in enumerate(valve_readings(steps, seed=1)):
        recent = 0.9 * recent + 0.1 * tuner.step(batch)
        if k % 44 == 43:
            print(f"{k + 1:4d} steps, recent loss {recent:.4f}")


if __name__ == "__main__":
    main()
