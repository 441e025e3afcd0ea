# gradwatch-corpus: kind=none
"""Speech enhancement with a metric critic; the generator's terms are balanced by their gradients' sizes."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Iterator, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class Spec:
    frames: int = 24
    bins: int = 16
    batch: int = 8
    steps: int = 180
    smoothing: float = 0.9


class Enhancer(nn.Module):
    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.inp = nn.Conv1d(spec.bins, 24, 5, padding=2)
        self.out = nn.Conv1d(24, spec.bins, 5, padding=2)

    def forward(self, noisy: Tensor) -> Tensor:
        return noisy * torch.sigmoid(self.out(F.leaky_relu(self.inp(noisy), 0.1)))


class Critic(nn.Sequential):
    def __init__(self, spec: Spec) -> None:
        super().__init__(nn.Conv1d(2 * spec.bins, 24, 3, padding=1), nn.LeakyReLU(0.2),
                         nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(24, 1))

    def rate(self, estimate: Tensor, reference: Tensor) -> Tensor:
        return self(torch.cat([estimate, reference], dim=1)).squeeze(-1)


class GradientBalance:
    """Weights every term by the inverse of its gradient's norm at a shared parameter."""

    def __init__(self, shared: nn.Parameter, smoothing: float) -> None:
        self.shared, self.smoothing = shared, smoothing
        self.weights: dict[str, Tensor] = {}

    def combine(self, terms: Mapping[str, Tensor]) -> Tensor:
        norms = {k: torch.autograd.grad(t, self.shared, retain_graph=True)[0].norm() for k, t in terms.items()}
        mean = sum(norms.values()) / len(norms)
        total = torch.zeros(())
        for name, term in terms.items():
            fresh = (mean / (norms[name] + 1e-8)).clamp(0.05, 20.0)
            old = self.weights.get(name, fresh)
            self.weights[name] = self.smoothing * old + (1 - self.smoothing) * fresh
            total = total + self.weights[name] * term
        return total


@contextmanager
def frozen(module: nn.Module) -> Iterator[nn.Module]:
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for p, f in zip(module.parameters(), flags):
            p.requires_grad_(f)


@dataclass
class GanState:
    enhancer: Enhancer
    critic: Critic
    g_opt: torch.optim.Optimizer
    d_opt: torch.optim.Optimizer
    balance: GradientBalance
    step: int = 0
    trace: dict[str, list[float]] = field(default_factory=dict)

    def note(self, **values: Tensor) -> None:
        for k, v in values.items():
            self.trace.setdefault(k, []).append(v.item())


def critic_step(state: GanState, estimate: Tensor, clean: Tensor) -> None:
    quality = 1 - (estimate.detach() - clean).abs().mean((1, 2)) / clean.abs().mean((1, 2))
    loss = (F.mse_loss(state.critic.rate(clean, clean), torch.ones(len(clean)))
            + F.mse_loss(state.critic.rate(estimate.detach(), clean), quality))
    state.d_opt.zero_grad()
    loss.backward()
    state.d_opt.step()
    state.note(critic=loss)


def enhancer_step(state: GanState, estimate: Tensor, clean: Tensor) -> None:
    with frozen(state.critic) as critic:
        terms = {
            "magnitude": F.l1_loss(estimate, clean),
            "compressed": F.mse_loss(torch.log1p(estimate), torch.log1p(clean)),
            "metric": (1 - critic.rate(estimate, clean)).pow(2).mean(),
        }
    loss = state.balance.combine(terms)
    state.g_opt.zero_grad()
    loss.backward()
    state.g_opt.step()
    state.note(**terms)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(77)
    spec = Spec()
    enhancer, critic = Enhancer(spec), Critic(spec)
    state = GanState(enhancer, critic, torch.optim.Adam(enhancer.parameters(), lr=2e-3),
                     torch.optim.Adam(critic.parameters(), lr=2e-3), GradientBalance(enhancer.out.weight, spec.smoothing))
    k, t = torch.arange(spec.bins).view(1, -1, 1), torch.arange(spec.frames).view(1, 1, -1)
    for state.step in range(spec.steps):
        pitch = 3 + 8 * torch.rand(spec.batch, 1, 1)
        clean = torch.exp(-0.5 * (k - pitch - 2 * torch.sin(0.4 * t)).pow(2))
        estimate = enhancer(clean + 0.4 * torch.rand(spec.batch, spec.bins, spec.frames))
        critic_step(state, estimate, clean)
        enhancer_step(state, estimate, clean)
        if (state.step + 1) % 60 == 0:
            print(state.step + 1, {n: round(v[-1], 4) for n, v in state.trace.items()})


if __name__ == "__main__":
    main()
