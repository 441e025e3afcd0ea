# gradwatch-corpus: kind=none
"""Meta-learned return forecasters: every desk adapts the shared weights to its own market by a few inner steps."""
from __future__ import annotations

import functools
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Callable, Iterator, Mapping, NamedTuple, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call

Weights = Mapping[str, Tensor]


class MarketHalted(RuntimeError):
    def __init__(self, message: str, weights: Weights) -> None:
        super().__init__(message)
        self.weights = weights


class Desk(NamedTuple):
    support: tuple[Tensor, Tensor]
    query: tuple[Tensor, Tensor]


@dataclass(frozen=True)
class InnerState:
    weights: Weights
    lr: Tensor
    step: int = 0
    previous: Optional["InnerState"] = None

    def descend(self, grads: tuple[Tensor, ...]) -> "InnerState":
        moved = OrderedDict((n, w - self.lr * g) for (n, w), g in zip(self.weights.items(), grads))
        return replace(self, weights=moved, step=self.step + 1, previous=self)


@dataclass
class MetaState:
    net: nn.Module
    log_lr: nn.Parameter
    optimizer: torch.optim.Optimizer
    iteration: int = 0
    last_error: Optional[str] = None
    halted: int = 0
    query_losses: list[float] = field(default_factory=list)
    path_lengths: list[float] = field(default_factory=list)


def skips_halted(fn: Callable[["MetaTrainer", list[Desk]], Tensor]):
    @functools.wraps(fn)
    def guarded(self: "MetaTrainer", desks: list[Desk]) -> Optional[Tensor]:
        try:
            return fn(self, desks)
        except MarketHalted as err:
            self.state.last_error = str(err)
            self.state.halted += 1
            return None
    return guarded


class MetaTrainer:
    def __init__(self, state: MetaState, inner_steps: int = 3, limit: float = 0.5) -> None:
        self.state, self.inner_steps, self.limit = state, inner_steps, limit

    def loss(self, weights: Weights, data: tuple[Tensor, Tensor]) -> Tensor:
        x, y = data
        return F.huber_loss(functional_call(self.state.net, dict(weights), (x,)).squeeze(-1), y)

    def adapt(self, desk: Desk) -> InnerState:
        inner = InnerState(OrderedDict(self.state.net.named_parameters()), self.state.log_lr.exp())
        for _ in range(self.inner_steps):
            loss = self.loss(inner.weights, desk.support)
            grads = torch.autograd.grad(loss, tuple(inner.weights.values()), create_graph=True)
            inner = inner.descend(grads)
        if desk.support[1].abs().max() > self.limit:
            raise MarketHalted(f"move beyond {self.limit}", inner.weights)
        return inner

    def path_length(self, inner: InnerState) -> float:
        total = 0.0
        while inner.previous is not None:
            for a, b in zip(inner.weights.values(), inner.previous.weights.values()):
                total += (a - b).detach().norm().item()
            inner = inner.previous
        return total

    @skips_halted
    def objective(self, desks: list[Desk]) -> Tensor:
        losses = []
        for desk in desks:
            inner = self.adapt(desk)
            self.state.path_lengths.append(self.path_length(inner))
            losses.append(self.loss(inner.weights, desk.query))
        return torch.stack(losses).mean()

    def fit(self, stream: Iterator[list[Desk]]) -> None:
        st = self.state
        for desks in stream:
            loss = self.objective(desks)
            st.iteration += 1
            if loss is None:
                continue
            st.optimizer.zero_grad()
            loss.backward()
            st.optimizer.step()
            st.query_losses.append(loss.item())
            if len(st.query_losses) % 40 == 0:
                print(f"it {st.iteration}: query {st.query_losses[-1]:.5f} path {st.path_lengths[-1]:.4f} "
                      f"lr {st.log_lr.exp().item():.4f} halted {st.halted} ({st.last_error})")


def desk_stream(iterations: int, factors: int = 5) -> Iterator[list[Desk]]:
    g = torch.Generator().manual_seed(60)
    for _ in range(iterations):
        desks = []
        for _ in range(3):
            beta = 0.08 * torch.randn(factors, generator=g)
            x = torch.randn(24, factors, generator=g)
            y = torch.tanh(x @ beta) + 0.01 * torch.randn(24, generator=g)
            desks.append(Desk((x[:12], y[:12]), (x[12:], y[12:])))
        yield desks


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(60)
    net = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1))
    log_lr = nn.Parameter(torch.tensor(-2.5))
    optimizer = torch.optim.Adam([*net.parameters(), log_lr], lr=4e-3)
    MetaTrainer(MetaState(net, log_lr, optimizer)).fit(desk_stream(220))


if __name__ == "__main__":
    main()
