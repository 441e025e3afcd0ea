# gradwatch-corpus: kind=none
"""Distributional Q-learning of blast timing in a quarry with a prioritised memory and a Polyak target."""
import copy
import random
from collections import deque, namedtuple

import torch
from torch import nn

Blast = namedtuple("Blast", "rock delay yield_ rock_next urgency value")


class BenchFace:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.rock = torch.randn(6, generator=self.rng)

    def fire(self, delay):
        best = int((self.rock[:5].sum().sigmoid() * 5).clamp_max(4))
        gain = 1.0 - 0.4 * abs(best - delay) + 0.1 * torch.randn((), generator=self.rng).item()
        before = self.rock
        self.rock = 0.7 * before + 0.7 * torch.randn(6, generator=self.rng)
        return before, gain, self.rock


class UrgencyHeap:
    def __init__(self, capacity, alpha=0.7):
        self.capacity = capacity
        self.alpha = alpha
        self.slots = []
        self.cursor = 0

    def push(self, blast):
        if len(self.slots) < self.capacity:
            self.slots.append(blast)
        else:
            self.slots[self.cursor] = blast
        self.cursor = (self.cursor + 1) % self.capacity

    def take(self, n, dice):
        weights = [b.urgency ** self.alpha for b in self.slots]
        where = dice.choices(range(len(self.slots)), weights=weights, k=n)
        return where, [self.slots[i] for i in where]

    def refresh(self, where, errors):
        for i, e in zip(where, errors.tolist()):
            self.slots[i] = self.slots[i]._replace(urgency=abs(e) + 1e-3)


class QuantileNet(nn.Module):
    def __init__(self, n_delay=5, n_q=8):
        super().__init__()
        self.n_delay = n_delay
        self.n_q = n_q
        self.net = nn.Sequential(nn.Linear(6, 48), nn.SiLU(), nn.Linear(48, n_delay * n_q))

    def forward(self, rock):
        return self.net(rock).view(-1, self.n_delay, self.n_q)


class BlastPlanner:
    gamma = 0.8

    def __init__(self, seed=64):
        torch.manual_seed(seed)
        self.dice = random.Random(seed)
        self.face = BenchFace(seed)
        self.live = QuantileNet()
        self.slow = copy.deepcopy(self.live)
        for p in self.slow.parameters():
            p.requires_grad = False
        self.opt = torch.optim.RAdam(self.live.parameters(), lr=2e-3)
        self.heap = UrgencyHeap(capacity=400)
        self.levels = (torch.arange(8) + 0.5) / 8
        self.last_quantiles = None
        self.value_window = deque(maxlen=100)

    @torch.no_grad()
    def explore(self, eps):
        quantiles = self.live(self.face.rock[None])[0].mean(-1)
        delay = self.dice.randrange(5) if self.dice.random() < eps else int(quantiles.argmax())
        before, gain, after = self.face.fire(delay)
        self.heap.push(Blast(before, delay, gain, after, 1.0, quantiles[delay]))
        self.value_window.append(quantiles[delay])

    @torch.no_grad()
    def goals(self, batch):
        ahead = torch.stack([b.rock_next for b in batch])
        pick = self.live(ahead).mean(-1).argmax(-1)
        tail = self.slow(ahead)[torch.arange(len(batch)), pick]
        gain = torch.tensor([b.yield_ for b in batch])
        return gain[:, None] + self.gamma * tail

    def quantile_loss(self, batch):
        rock = torch.stack([b.rock for b in batch])
        delay = torch.tensor([b.delay for b in batch])
        self.last_quantiles = self.live(rock)[torch.arange(len(batch)), delay]
        gap = self.goals(batch)[:, None, :] - self.last_quantiles[:, :, None]
        tilt = (self.levels[None, :, None] - (gap.detach() < 0).float()).abs()
        per_blast = (tilt * nn.functional.huber_loss(gap, torch.zeros_like(gap), reduction="none")).mean((1, 2))
        return per_blast, gap.mean((1, 2))

    def refine(self, n=48):
        where, batch = self.heap.take(n, self.dice)
        per_blast, gap = self.quantile_loss(batch)
        self.opt.zero_grad()
        per_blast.mean().backward()
        self.opt.step()
        self.heap.refresh(where, gap.detach())
        with torch.no_grad():
            for s, p in zip(self.slow.parameters(), self.live.parameters()):
                s += 0.02 * (p - s)
        return per_blast.mean().item()


def main():
    planner = BlastPlanner()
    for _ in range(60):
        planner.explore(1.0)
    for shift in range(170):
        for _ in range(3):
            planner.explore(max(0.05, 0.8 - shift / 120))
        loss = planner.refine()
        if shift % 34 == 0:
            mean = torch.stack(tuple(planner.value_window)).mean().item()
            print(f"shift {shift:3d} loss {loss:.4f} value {mean:+.3f} stored {len(planner.heap.slots)}")


if __name__ == "__main__":
    main()
