# gradwatch-corpus: kind=none
"""Lift traffic forecaster trained with stale gradients: losses sit in a pipeline and are walked a few ticks later."""
import argparse
import asyncio
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class Ticket:
    tick: int
    loss: torch.Tensor
    leaves: tuple


class Lobby:
    """Arrivals per floor; the load of a floor swings with the hour."""

    def __init__(self, floors, seed):
        self.floors = floors
        self.g = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(floors, generator=self.g)

    def rates(self, tick):
        t = torch.tensor(tick / 24.0)
        return 2.0 + 1.5 * torch.sin(6.283 * (t + self.phase))

    def tick(self, k, batch=32):
        past = torch.stack([self.rates(k - j) for j in range(1, 7)], dim=1)
        x = torch.poisson(past.expand(batch, -1, -1).contiguous(), generator=self.g)
        y = torch.poisson(self.rates(k).expand(batch, -1).contiguous(), generator=self.g)
        return x, y


def init(n_in, width, gen):
    def w(a, b):
        return torch.randn(a, b, generator=gen) / a ** 0.5
    return tuple(p.requires_grad_() for p in (w(n_in, width), torch.zeros(width), w(width, 1), torch.zeros(1)))


def forecast(leaves, x):
    w1, b1, w2, b2 = leaves
    return (torch.tanh(torch.log1p(x) @ w1 + b1) @ w2 + b2).squeeze(-1)


class Shop:
    """Newest parameters, and the losses which still wait for their backward pass."""

    def __init__(self, leaves, depth, lr):
        self.leaves, self.depth, self.lr = leaves, depth, lr
        self.momentum = [torch.zeros_like(p) for p in leaves]
        self.in_flight = deque()
        self.ledger = []

    def admit(self, tick, loss):
        self.in_flight.append(Ticket(tick, loss, self.leaves))

    def settle(self):
        ticket = self.in_flight.popleft()
        grads = torch.autograd.grad(ticket.loss, ticket.leaves)
        with torch.no_grad():
            self.momentum = [0.8 * m + g for m, g in zip(self.momentum, grads)]
            fresh = [p - self.lr * m for p, m in zip(self.leaves, self.momentum)]
        self.leaves = tuple(p.requires_grad_() for p in fresh)
        self.ledger.append((ticket.tick, ticket.loss.detach()))

    @property
    def full(self):
        return len(self.in_flight) > self.depth


async def sensor(lobby, ticks, out):
    for k in range(ticks):
        await out.put((k, *lobby.tick(k)))
        await asyncio.sleep(0)
    await out.put(None)


async def forward_desk(shop, inbox, done):
    while (item := await inbox.get()) is not None:
        k, x, y = item
        loss = F.poisson_nll_loss(forecast(shop.leaves, x), y)
        shop.admit(k, loss)
        await done.put(k)
    await done.put(None)


async def backward_desk(shop, done):
    while (k := await done.get()) is not None:
        if shop.full:
            shop.settle()
        if k % 60 == 0 and shop.ledger:
            tick, value = shop.ledger[-1]
            print(f"tick {k:3d}: settled {tick}, nll {value.item():.4f}, waiting {len(shop.in_flight)}")
    while shop.in_flight:
        shop.settle()


async def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--floors", type=int, default=10)
    ap.add_argument("--ticks", type=int, default=280)
    ap.add_argument("--depth", type=int, default=3)
    ap.add_argument("--lr", type=float, default=0.004)
    args = ap.parse_args()
    gen = torch.Generator().manual_seed(9)
    shop = Shop(init(6, 16, gen), args.depth, args.lr)
    wires = asyncio.Queue(maxsize=1), asyncio.Queue(maxsize=1)
    await asyncio.gather(
        sensor(Lobby(args.floors, 9), args.ticks, wires[0]),
        forward_desk(shop, *wires),
        backward_desk(shop, wires[1]),
    )
    last = torch.stack([v for _, v in shop.ledger[-20:]]).mean()
    print(f"settled {len(shop.ledger)} tickets, final nll {last.item():.4f}")


if __name__ == "__main__":
    asyncio.run(main())
