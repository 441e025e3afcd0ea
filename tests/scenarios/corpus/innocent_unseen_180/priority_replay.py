# gradwatch-corpus: kind=none
"""Value regression with a fixed-capacity prioritized buffer in numpy object arrays."""
import numpy as np
import torch
from torch import nn


class SumTree:
    def __init__(self, capacity):
        self.capacity = capacity
        self.tree = np.zeros(2 * capacity)
        self.data = np.empty(capacity, dtype=object)
        self.write = 0

    def add(self, priority, item):
        i = self.write
        self.data[i] = item
        self.update(i, priority)
        self.write = (self.write + 1) % self.capacity

    def update(self, i, priority):
        node = i + self.capacity
        delta = priority - self.tree[node]
        while node >= 1:
            self.tree[node] += delta
            node //= 2

    def find(self, mass):
        node = 1
        while node < self.capacity:
            left = 2 * node
            if mass <= self.tree[left] or self.tree[left + 1] <= 0:
                node = left
            else:
                mass -= self.tree[left]
                node = left + 1
        return node - self.capacity

    @property
    def total(self):
        return self.tree[1]


class Transition:
    __slots__ = ("state", "target", "value", "td")

    def __init__(self, state, target, value, td):
        self.state = state
        self.target = target
        self.value = value
        self.td = td


class ValueNet(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, s):
        return self.net(s).squeeze(-1)


def returns(s):
    return torch.cos(s[:, 0]) + 0.5 * s[:, 1] * s[:, 2]


def main():
    torch.manual_seed(23)
    rng = np.random.default_rng(23)
    net = ValueNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    memory = SumTree(32)
    shift = 0.0
    for it in range(700):
        s = torch.randn(16, 6)
        g = returns(s)
        extra = []
        for _ in range(2 if it > 10 else 0):
            extra.append(memory.find(rng.uniform(0, memory.total)))
        states = torch.cat([s] + [memory.data[j].state for j in extra])
        targets = torch.cat([g] + [memory.data[j].target for j in extra])
        v = net(states)
        td = targets - v
        loss = td.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        chunks = td.split(16)
        memory.add(chunks[0].abs().mean().item() + 1e-3, Transition(s, g, v[:16], chunks[0]))
        for j, c in zip(extra, chunks[1:]):
            moved = v[:16].mean() - memory.data[j].value.mean()
            shift = 0.9 * shift + 0.1 * moved.item()
            memory.data[j].td = c
            memory.update(j, c.abs().mean().item() + 1e-3)
        if it % 140 == 139:
            print(f"it {it + 1} loss {loss.item():.4f} priority mass {memory.total:.3f} shift {shift:+.3f}")


if __name__ == "__main__":
    main()
