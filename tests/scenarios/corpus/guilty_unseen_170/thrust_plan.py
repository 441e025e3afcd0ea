# gradwatch-corpus: kind=graph-chain
# holder: self.pos | self.vel | craft.pos | craft.vel
# first-bad: 1
# notice: 5
"""Open-loop thrust planning for a small craft: a learned table of thrusts, adapted while it flies."""
import torch
import torch.nn as nn


class Craft:
    """State of the craft, moved by semi-implicit Euler steps."""

    dt = 0.1

    def __init__(self, n=16, seed=0):
        gen = torch.Generator().manual_seed(seed)
        self.pos = torch.randn(n, 2, generator=gen)
        self.vel = torch.zeros(n, 2)

    def advance(self, thrust):
        self.vel = torch.add(self.vel, thrust - torch.tensor([0.0, 0.3]), alpha=self.dt)  # <- culprit
        self.pos = torch.add(self.pos, self.vel, alpha=self.dt)  # <- culprit
        return self.pos, self.vel


class ThrustTable(nn.Module):
    """One thrust for each phase of the orbit, shared by all craft."""

    def __init__(self, phases=12):
        super().__init__()
        self.phases = phases
        self.table = nn.Parameter(torch.zeros(phases, 2))
        self.trim = nn.Parameter(torch.zeros(2))

    def forward(self, t):
        return self.table[t % self.phases] + self.trim


class Orbit:
    def __init__(self, phases=12, radius=1.5):
        a = torch.arange(phases).float() * (6.28318 / phases)
        self.points = radius * torch.stack([a.cos(), a.sin()], 1)

    def at(self, t):
        return self.points[t % len(self.points)]


def segment(craft, thrusts, orbit, start, length=3):
    """Flies one short segment and returns its cost."""
    cost = torch.zeros(())
    for t in range(start, start + length):
        pos, vel = craft.advance(thrusts(t))
        cost = cost + (pos - orbit.at(t)).pow(2).mean() + 0.05 * vel.pow(2).mean()
    return cost / length


def main():
    torch.manual_seed(33)
    torch.set_num_threads(1)
    craft = Craft()
    thrusts = ThrustTable()
    orbit = Orbit()
    opt = torch.optim.Adam(thrusts.parameters(), lr=0.003)
    t = 0
    smooth = None
    for it in range(80):
        cost = segment(craft, thrusts, orbit, t)
        opt.zero_grad()
        cost.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(thrusts.parameters(), 1.0)
        opt.step()
        t += 3
        value = cost.item()
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        if it % 20 == 0:
            print(f"segment {it:3d} cost {value:.4f} smooth {smooth:.4f}")
    print("end", smooth)


if __name__ == "__main__":
    main()
