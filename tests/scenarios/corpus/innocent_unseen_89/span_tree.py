# gradwatch-corpus: kind=none
"""Query-plan cost model (a tree LSTM in small). Each step leaves a trace: a tree of spans that know parent and children."""
import gc
import random
import time

import torch
import torch.nn as nn

torch.set_num_threads(1)
COLLECT_EVERY = 36


class Span:
    def __init__(self, name, parent=None):
        self.name = name
        self.parent = parent
        self.children = []
        self.values = {}
        self.start = time.perf_counter()
        self.elapsed = None
        if parent is not None:
            parent.children.append(self)

    def child(self, name):
        return Span(name, self)

    def tag(self, **values):
        self.values.update(values)
        return self

    def close(self):
        self.elapsed = time.perf_counter() - self.start

    def depth(self):
        return 1 + max((c.depth() for c in self.children), default=0)


class Plan:
    """A random tree of operators; scans are leaves."""

    OPS = ("scan", "filter", "join", "sort")

    def __init__(self, rng, depth):
        self.rows = rng.uniform(0.1, 1.0)
        if depth == 0 or rng.random() < 0.25:
            self.op, self.inputs = "scan", []
        else:
            self.op = rng.choice(self.OPS[1:])
            self.inputs = [Plan(rng, depth - 1) for _ in range(2 if self.op == "join" else 1)]

    def cost(self):
        below = [p.cost() for p in self.inputs]
        own = {"scan": self.rows, "filter": 0.1, "sort": 0.4 * self.rows, "join": 0.3 + self.rows ** 2}[self.op]
        return own + sum(below)


class CostNet(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.op = nn.Embedding(len(Plan.OPS), dim)
        self.rows = nn.Linear(1, dim)
        self.merge = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 1)

    def encode(self, plan, span):
        here = span.child(plan.op)
        below = [self.encode(p, here) for p in plan.inputs]
        h = self.op.weight[Plan.OPS.index(plan.op)] + self.rows(torch.tensor([plan.rows]))
        if below:
            h = h + self.merge(torch.stack(below).sum(0))
        h = torch.tanh(h)
        here.tag(norm=h.norm(), rows=plan.rows).close()
        return h

    def forward(self, plan, span):
        return self.head(self.encode(plan, span)).squeeze()


def main():
    torch.manual_seed(3)
    rng = random.Random(3)
    net = CostNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    avg, deepest = 1.0, 0
    gc.disable()  # traces are cyclic; they are collected at moments of our choosing
    for step in range(360):
        trace = Span(f"step-{step}")
        plans = [Plan(rng, 3) for _ in range(3)]
        loss = sum((net(p, trace) - p.cost()) ** 2 for p in plans) / len(plans)
        opt.zero_grad()
        loss.backward()
        opt.step()
        trace.tag(loss=loss).close()
        avg = 0.96 * avg + 0.04 * trace.values["loss"].item()
        deepest = max(deepest, trace.depth())
        if step % COLLECT_EVERY == COLLECT_EVERY - 1:
            gc.collect()
        if step % 60 == 59:
            print(f"{step + 1}: squared error {avg:.3f}, deepest trace {deepest}, took {1e3 * trace.elapsed:.1f} ms")


if __name__ == "__main__":
    main()
