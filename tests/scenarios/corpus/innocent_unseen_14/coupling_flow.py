# gradwatch-corpus: kind=none
"""RealNVP on interleaved spirals, coupling layers recomputed in backward. A short replay of old
samples keeps the flow from forgetting when the stream's rotation drifts."""
from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from functools import lru_cache, partial

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(808)


@lru_cache(maxsize=4)
def checker(dim: int, parity: int) -> Tensor:
    return (torch.arange(dim) % 2 == parity).float()


class Bijection(nn.Module, ABC):
    @abstractmethod
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

    @abstractmethod
    def inverse(self, z: Tensor) -> Tensor: ...


class ActNorm(Bijection):
    def __init__(self, dim: int):
        super().__init__()
        self.shift, self.log_scale = nn.Parameter(torch.zeros(dim)), nn.Parameter(torch.zeros(dim))
        self.ready = False

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.shift.copy_(-x.mean(0))
                self.log_scale.copy_(-x.std(0).clamp_min(1e-3).log())
            self.ready = True
        return (x + self.shift) * self.log_scale.exp(), self.log_scale.sum().expand(len(x))

    def inverse(self, z):
        return z * (-self.log_scale).exp() - self.shift


class Coupling(Bijection):
    def __init__(self, dim: int, parity: int, width: int = 40):
        super().__init__()
        self.dim, self.parity = dim, parity
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 2 * dim))
        nn.init.zeros_(self.net[-1].weight)

    def _params(self, kept: Tensor, mask: Tensor):
        s, t = self.net(kept).chunk(2, -1)
        return torch.tanh(s) * (1 - mask), t * (1 - mask)

    def forward(self, x):
        mask = checker(self.dim, self.parity)
        s, t = self._params(x * mask, mask)
        return x * s.exp() + t, s.sum(-1)

    def inverse(self, z):
        mask = checker(self.dim, self.parity)
        s, t = self._params(z * mask, mask)
        return (z - t) * (-s).exp()


class Flow(nn.Module):
    def __init__(self, dim: int = 2, depth: int = 4):
        super().__init__()
        self.parts = nn.ModuleList(m for i in range(depth) for m in (ActNorm(dim), Coupling(dim, i % 2)))
        self.peak_grad = [0.0] * len(self.parts)

    def _tame(self, index: int, grad: Tensor) -> Tensor:
        norm = grad.norm()
        self.peak_grad[index] = max(self.peak_grad[index], norm.item())
        return grad * (5.0 / norm).clamp(max=1.0)

    def log_prob(self, x: Tensor) -> Tensor:
        log_det = torch.zeros(len(x))
        for i, part in enumerate(self.parts):
            run = partial(checkpoint, part, use_reentrant=False) if isinstance(part, Coupling) else part
            x, ld = run(x)
            x.register_hook(partial(self._tame, i))
            log_det = log_det + ld
        return log_det - 0.5 * x.square().sum(-1) - math.log(2 * math.pi)

    @torch.no_grad()
    def sample(self, n: int) -> Tensor:
        z = torch.randn(n, 2)
        for part in reversed(self.parts):
            z = part.inverse(z)
        return z


def spirals(batch: int):
    angle = 0.0
    while True:
        t = torch.rand(batch).sqrt() * 7
        arm = torch.randint(2, (batch,)) * math.pi
        x = torch.stack((t * torch.cos(t + arm + angle), t * torch.sin(t + arm + angle)), -1) / 4
        yield x + 0.05 * torch.randn(batch, 2)
        angle += 0.004


def main(steps: int = 220) -> None:
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=3e-3)
    replay: deque[Tensor] = deque(maxlen=12)
    losses: list[float] = []
    for step, fresh in zip(range(steps), spirals(96)):
        old = replay[step % len(replay)][:32] if replay else fresh[:0]
        loss = -flow.log_prob(torch.cat((fresh, old))).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if step % 10 == 0:
            replay.append(fresh)
        if step % 55 == 54:
            spread = flow.sample(200).std().item()
            print(f"{step + 1:4d}  nll {sum(losses[-55:]) / 55:.4f}  sample std {spread:.3f}  peak grad {max(flow.peak_grad):.3f}")


if __name__ == "__main__":
    main()
