# gradwatch-corpus: kind=none
"""Shared graph encoder with a link head and a category head. The gradients of the two tasks on the encoder
are taken apart and projected when they disagree (PCGrad), hence the two backward calls."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

HEADS: dict = {}


def head(name):
    def wrap(cls):
        HEADS[name] = cls
        return cls

    return wrap


@dataclass(frozen=True)
class GraphSpec:
    n_entities: int = 240
    n_relations: int = 6
    n_types: int = 5
    n_edges: int = 1500
    seed: int = 15


@dataclass(frozen=True)
class TrainSpec:
    dim: int = 24
    heads: tuple = ("link", "category")
    batch: int = 96
    steps: int = 240
    lr: float = 5e-3
    log_every: int = 60
    graph: GraphSpec = field(default_factory=GraphSpec)


class Graph:
    def __init__(self, spec):
        g = torch.Generator().manual_seed(spec.seed)
        self.gen = g
        self.types = torch.randint(spec.n_types, (spec.n_entities,), generator=g)
        self.head = torch.randint(spec.n_entities, (spec.n_edges,), generator=g)
        self.rel = torch.randint(spec.n_relations, (spec.n_edges,), generator=g)
        shift = (self.types[self.head] + self.rel) % spec.n_types
        order = torch.rand(spec.n_edges, spec.n_entities, generator=g)
        order[self.types[None, :] != shift[:, None]] = -1.0
        self.tail = order.argmax(1)
        adj = torch.zeros(spec.n_entities, spec.n_entities)
        adj[self.head, self.tail] = 1.0
        adj = adj + adj.T + torch.eye(spec.n_entities)
        self.adj = adj / adj.sum(1, keepdim=True)


class Encoder(nn.Module):
    def __init__(self, graph, n, dim):
        super().__init__()
        self.adj = graph.adj
        self.embed = nn.Parameter(0.3 * torch.randn(n, dim))
        self.mix = nn.Linear(dim, dim)

    def forward(self):
        return self.embed + torch.tanh(self.mix(self.adj @ self.embed))


@head("link")
class LinkHead(nn.Module):
    def __init__(self, graph, spec):
        super().__init__()
        self.graph, self.batch = graph, spec.batch
        self.rel = nn.Parameter(torch.randn(spec.graph.n_relations, spec.dim))

    def forward(self, z):
        g = self.graph
        pick = torch.randint(len(g.head), (self.batch,), generator=g.gen)
        scores = (z[g.head[pick]] * self.rel[g.rel[pick]]) @ z.T
        return F.cross_entropy(scores, g.tail[pick])


@head("category")
class CategoryHead(nn.Module):
    def __init__(self, graph, spec):
        super().__init__()
        self.graph, self.batch = graph, spec.batch
        self.out = nn.Linear(spec.dim, spec.graph.n_types)

    def forward(self, z):
        pick = torch.randint(len(z), (self.batch,), generator=self.graph.gen)
        return F.cross_entropy(self.out(z[pick]), self.graph.types[pick])


class GradientSurgeon:
    """Collects the encoder's gradient for every task and combines them."""

    def __init__(self, params):
        self.params = list(params)
        self.per_task = {}
        self.conflicts = 0

    def collect(self, name):
        self.per_task[name] = torch.cat([p.grad.flatten() for p in self.params])
        for p in self.params:
            p.grad = None

    def combine(self):
        a, b = self.per_task.values()
        dot = torch.dot(a, b)
        if dot < 0:
            self.conflicts += 1
            a, b = a - dot / b.pow(2).sum() * b, b - dot / a.pow(2).sum() * a
        merged = a + b
        for p, chunk in zip(self.params, merged.split([p.numel() for p in self.params])):
            p.grad = chunk.view_as(p).clone()
        self.per_task.clear()


def run(spec):
    graph = Graph(spec.graph)
    encoder = Encoder(graph, spec.graph.n_entities, spec.dim)
    heads = nn.ModuleDict({name: HEADS[name](graph, spec) for name in spec.heads})
    optimizer = torch.optim.Adam([*encoder.parameters(), *heads.parameters()], lr=spec.lr)
    surgeon = GradientSurgeon(encoder.parameters())
    for step in range(spec.steps):
        optimizer.zero_grad()
        z = encoder()
        losses = {name: heads[name](z) for name in spec.heads}
        for i, (name, loss) in enumerate(losses.items()):
            loss.backward(retain_graph=i + 1 < len(losses))
            surgeon.collect(name)
        surgeon.combine()
        optimizer.step()
        if step % spec.log_every == 0:
            text = "  ".join(f"{k} {v.item():.3f}" for k, v in losses.items())
            print(f"{step:4d}  {text}  conflicts {surgeon.conflicts}")


if __name__ == "__main__":
    torch.manual_seed(2)
    run(TrainSpec())
