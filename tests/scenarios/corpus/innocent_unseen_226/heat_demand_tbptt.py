# gradwatch-corpus: kind=none
import math
from typing import NamedTuple

import torch
import torch.nn as nn


class Carry(NamedTuple):
    fast: torch.Tensor
    slow: torch.Tensor

    @classmethod
    def start(cls, n, width):
        return cls(torch.zeros(n, width), torch.zeros(n, width))

    def cut(self):
        return Carry(*(s.detach() for s in self))


class TwoSpeedCell(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.fast = nn.GRUCell(n_in + width, width)
        self.slow = nn.GRUCell(width, width)

    def forward(self, x, carry):
        fast = self.fast(torch.cat([x, carry.slow], dim=1), carry.fast)
        proposal = self.slow(fast, carry.slow)
        slow = 0.95 * carry.slow + 0.05 * proposal
        return Carry(fast, slow)


class DistrictHeat(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.cell = TwoSpeedCell(3, width)
        self.out = nn.Linear(2 * width, 1)

    def roll(self, xs, carry):
        preds = []
        for x in xs:
            carry = self.cell(x, carry)
            preds.append(self.out(torch.cat(carry, dim=1)))
        return torch.stack(preds).squeeze(-1), carry


def district_series(hours, n, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(hours).float()[:, None]
    offset = torch.randn(1, n, generator=g)
    temp = 5 + 6 * torch.sin(2 * math.pi * t / 24) + 8 * torch.sin(2 * math.pi * t / 500) + offset
    inertia = torch.zeros(n)
    demand = []
    for row in temp:
        inertia = 0.97 * inertia + 0.03 * torch.relu(18 - row)
        demand.append(inertia + 0.2 * torch.randn(n, generator=g))
    clock = torch.cat([torch.sin(2 * math.pi * t / 24), torch.cos(2 * math.pi * t / 24)], dim=1)
    feats = torch.cat([temp[..., None] / 10, clock[:, None, :].expand(-1, n, -1)], dim=-1)
    return feats, torch.stack(demand) / 10


def main():
    torch.manual_seed(19)
    window = 16
    feats, demand = district_series(hours=16 * 110, n=12, seed=19)
    net = DistrictHeat()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    carry = Carry.start(12, 20)
    saved_states = {}
    total = 0.0
    for k, lo in enumerate(range(0, feats.shape[0], window)):
        pred, carry = net.roll(feats[lo:lo + window], carry)
        loss = nn.functional.smooth_l1_loss(pred, demand[lo:lo + window])
        opt.zero_grad()
        loss.backward()
        opt.step()
        carry = carry.cut()
        total += loss.item()
        saved_states[k % 7] = carry
        if k % 22 == 21:
            print(f"hour {lo + window:5d} mean loss {total / 22:.4f} slow state {carry.slow.norm().item():.3f}")
            total = 0.0
    print("states of the last windows:", sorted(round(c.fast.mean().item(), 3) for c in saved_states.values()))


main()
