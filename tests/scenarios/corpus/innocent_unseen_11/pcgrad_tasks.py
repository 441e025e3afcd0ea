# gradwatch-corpus: kind=none
"""Three regression heads on one trunk; conflicting task gradients are projected (PCGrad), the loss weights follow
the uncertainty of each task. Written for the reading group, so rather wordy."""
from __future__ import annotations

import random
from typing import Callable, Iterable

import torch
from torch import Tensor, nn

Target = Callable[[Tensor], Tensor]

TASKS: dict[str, Target] = {}


def task(name: str) -> Callable[[Target], Target]:
    def register(fn: Target) -> Target:
        TASKS[name] = fn
        return fn

    return register


@task("sum")
def _sum(x: Tensor) -> Tensor:
    return x.sum(dim=1).tanh()


@task("ripple")
def _ripple(x: Tensor) -> Tensor:
    return torch.sin(3 * x[:, 0]) * x[:, 1]


@task("minus")
def _minus(x: Tensor) -> Tensor:
    return -x.sum(dim=1).tanh() + 0.3 * x[:, 2]


class SharedTrunk(nn.Module):
    def __init__(self, dim: int, width: int, names: Iterable[str]):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.heads = nn.ModuleDict({name: nn.Linear(width, 1) for name in names})
        self.log_var = nn.ParameterDict({name: nn.Parameter(torch.zeros(())) for name in self.heads})
        self.features: Tensor | None = None
        self.trunk.register_forward_hook(self._remember)

    def _remember(self, module: nn.Module, args: tuple, output: Tensor) -> None:
        self.features = output

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        h = self.trunk(x)
        return {name: head(h).squeeze(-1) for name, head in self.heads.items()}

    def losses(self, x: Tensor) -> dict[str, Tensor]:
        out = self(x)
        result = {}
        for name, target in TASKS.items():
            s = self.log_var[name]
            result[name] = (-s).exp() * (out[name] - target(x)).pow(2).mean() + s
        return result


class PCGrad:
    """Each task's gradient loses its component against any other task's gradient it disagrees with."""

    def __init__(self, optimizer: torch.optim.Optimizer, seed: int):
        self.optimizer = optimizer
        self.rng = random.Random(seed)
        self.conflicts = 0

    @property
    def params(self) -> list[Tensor]:
        return [p for group in self.optimizer.param_groups for p in group["params"]]

    def _flat(self, loss: Tensor, keep: bool) -> Tensor:
        grads = torch.autograd.grad(loss, self.params, retain_graph=keep, allow_unused=True)
        return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for g, p in zip(grads, self.params)])

    def step(self, losses: list[Tensor]) -> None:
        last = len(losses) - 1
        flat = [self._flat(loss, keep=k < last) for k, loss in enumerate(losses)]
        merged = torch.zeros_like(flat[0])
        for i, g in enumerate(flat):
            g = g.clone()
            others = [j for j in range(len(flat)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(g, flat[j])
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / flat[j].dot(flat[j]).clamp(min=1e-12) * flat[j]
            merged += g
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.optimizer.step()


class Average:
    def __init__(self) -> None:
        self.total: Tensor | float = 0.0
        self.n = 0

    def add(self, value: Tensor) -> None:
        self.total = self.total + value.detach()
        self.n += 1

    def pop(self) -> float:
        mean = float(self.total) / max(self.n, 1)
        self.total, self.n = 0.0, 0
        return mean


def main(steps: int = 400) -> None:
    torch.manual_seed(44)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(45)
    model = SharedTrunk(4, 40, TASKS)
    pcgrad = PCGrad(torch.optim.Adam(model.parameters(), lr=3e-3), seed=46)
    averages = {name: Average() for name in TASKS}
    for step in range(steps):
        losses = model.losses(torch.randn(64, 4, generator=gen))
        pcgrad.step(list(losses.values()))
        for name, value in losses.items():
            averages[name].add(value)
        if (step + 1) % 100 == 0:
            text = "  ".join(f"{name} {a.pop():+.3f}" for name, a in averages.items())
            size = model.features.detach().abs().mean().item()
            print(f"{step + 1:4d}  {text}  conflicts {pcgrad.conflicts}  |h| {size:.2f}")


if __name__ == "__main__":
    main()
