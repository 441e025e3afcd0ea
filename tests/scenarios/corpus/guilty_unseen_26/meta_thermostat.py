# gradwatch-corpus: kind=graph-chain
# holder: session.fast | self.session.fast | learner.session.fast | fast
# first-bad: 1
# also: retain-needless
# after: learnables/learn2learn issue 381 (meta-optimizer: second time "on the second iteration"); fast weights of the last task are the start of the next one
"""Meta-SGD (first order): learn an initialisation and per-weight step sizes for building models.

Each task is one building; the inner loop fits a thermal model to its first days, the outer loss is
the forecast error of the following days.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Iterator, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call

Weights = Dict[str, Tensor]


@dataclass
class Building:
    gain: float
    loss: float
    inertia: float

    def sample(self, n: int, gen: torch.Generator) -> Tuple[Tensor, Tensor]:
        x = torch.randn(n, 3, generator=gen)          # outside, sun, heating
        y = self.inertia * x[:, :1] * self.loss + self.gain * torch.relu(x[:, 1:2]) + 0.5 * x[:, 2:]
        return x, y + 0.05 * torch.randn(n, 1, generator=gen)


@dataclass
class Session:
    fast: Weights | None = None
    tasks: int = 0


class ThermalModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, x):
        return self.body(x)


class StepSizes(nn.Module):
    def __init__(self, model: nn.Module, init: float = 0.05):
        super().__init__()
        self.by_name = nn.ParameterDict(
            {n.replace(".", "/"): nn.Parameter(torch.full_like(p, init)) for n, p in model.named_parameters()})

    def __getitem__(self, name: str) -> Tensor:
        return self.by_name[name.replace(".", "/")]


class MetaLearner:
    def __init__(self, inner_steps: int = 3, lr: float = 5e-3):
        self.model = ThermalModel()
        self.alpha = StepSizes(self.model)
        self.inner_steps = inner_steps
        self.session = Session()
        self.outer = torch.optim.Adam([*self.model.parameters(), *self.alpha.parameters()], lr=lr)

    def begin(self) -> Weights:
        if self.session.fast is None:
            self.session.fast = dict(self.model.named_parameters())
        self.session.tasks += 1
        return self.session.fast

    def adapt(self, x: Tensor, y: Tensor) -> Weights:
        fast = self.begin()  # <- culprit
        for _ in range(self.inner_steps):
            err = F.mse_loss(functional_call(self.model, fast, (x,)), y)
            grads = torch.autograd.grad(err, list(fast.values()))
            fast = {n: w - self.alpha[n] * g for (n, w), g in zip(fast.items(), grads)}
        self.session.fast = fast  # <- culprit
        return fast

    def outer_step(self, support, query) -> float:
        fast = self.adapt(*support)
        loss = F.mse_loss(functional_call(self.model, fast, (query[0],)), query[1])
        self.outer.zero_grad()
        loss.backward(retain_graph=True)
        self.outer.step()
        return loss.item()


def buildings(n: int, seed: int = 9) -> Iterator[Tuple[Building, torch.Generator]]:
    gen = torch.Generator().manual_seed(seed)
    for _ in range(n):
        g, l, i = torch.rand(3, generator=gen).tolist()
        yield Building(g, l, 0.5 + i), gen


def main() -> None:
    torch.manual_seed(0)
    learner = MetaLearner()
    curve = []
    for k, (house, gen) in enumerate(buildings(90)):
        curve.append(learner.outer_step(house.sample(16, gen), house.sample(32, gen)))
        if (k + 1) % 30 == 0:
            print(f"{k + 1} buildings, forecast mse {sum(curve[-30:]) / 30:.4f}")


if __name__ == "__main__":
    main()
