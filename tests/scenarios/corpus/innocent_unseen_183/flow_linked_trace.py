# gradwatch-corpus: kind=none
"""Planar flow density fit with a linked trace of recent log-likelihoods."""
import math

import torch
import torch.nn as nn

TRACE_DEPTH = 36


class TraceNode:
    def __init__(self, step, value, older):
        self.step = step
        self.value = value
        self.older = older


class Trace:
    def __init__(self, depth):
        self.head = None
        self.depth = depth

    def push(self, step, value):
        self.head = TraceNode(step, value, self.head)
        self._cut()

    def _cut(self):
        node, hops = self.head, 1
        while node is not None and hops < self.depth:
            node, hops = node.older, hops + 1
        if node is not None:
            node.older = None

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node
            node = node.older

    def slope(self):
        vals = [n.value.item() for n in self]
        if len(vals) < 2:
            return 0.0
        return (vals[0] - vals[-1]) / (len(vals) - 1)


class Planar(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.u = nn.Parameter(0.1 * torch.randn(dim))
        self.w = nn.Parameter(0.1 * torch.randn(dim))
        self.b = nn.Parameter(torch.zeros(()))

    def forward(self, z):
        lin = z @ self.w + self.b
        h = torch.tanh(lin)
        det = 1 + (1 - h ** 2) * (self.u @ self.w)
        return z + h[:, None] * self.u, torch.log(det.abs() + 1e-6)


class Flow(nn.Module):
    def __init__(self, dim=2, depth=4):
        super().__init__()
        self.steps = nn.ModuleList(Planar(dim) for _ in range(depth))

    def log_prob(self, x):
        total = torch.zeros(len(x))
        for layer in self.steps:
            x, ld = layer(x)
            total = total + ld
        return total - 0.5 * (x ** 2).sum(1) - math.log(2 * math.pi)


def sample_target(n, gen):
    x = torch.randn(n, 2, generator=gen)
    x[:, 1] = 0.5 * x[:, 1] + 0.7 * x[:, 0] ** 2
    return x


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    flow = Flow()
    opt = torch.optim.RMSprop(flow.parameters(), lr=2e-3)
    trace = Trace(TRACE_DEPTH)
    for step in range(430):
        ll = flow.log_prob(sample_target(64, gen)).mean()
        opt.zero_grad()
        (-ll).backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        trace.push(step, ll)
        if step % 60 == 59:
            print(f"step {step} ll {ll.item():.3f} slope {trace.slope():+.4f}")


if __name__ == "__main__":
    main()
