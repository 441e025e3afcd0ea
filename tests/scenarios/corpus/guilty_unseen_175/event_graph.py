# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Temporal graph network with a node memory: predicts the next interaction in an event stream."""
from typing import Iterator, NamedTuple

import torch
from torch import Tensor, nn
import torch.nn.functional as F


class Events(NamedTuple):
    src: Tensor
    dst: Tensor
    feat: Tensor


def event_stream(n_nodes: int, batch: int, seed: int) -> Iterator[Events]:
    g = torch.Generator().manual_seed(seed)
    block = torch.arange(n_nodes) % 4
    while True:
        src = torch.randperm(n_nodes, generator=g)[:batch]
        shift = 4 * torch.randint(n_nodes // 4, (batch,), generator=g)
        dst = (src + shift) % n_nodes
        feat = F.one_hot(block[src], 4).float() + 0.1 * torch.randn(batch, 4, generator=g)
        yield Events(src, dst, feat)


class NodeMemory(nn.Module):
    def __init__(self, n_nodes: int, dim: int, msg_dim: int):
        super().__init__()
        self.cell = nn.GRUCell(msg_dim, dim)
        self.state = torch.zeros(n_nodes, dim)

    def read(self, ids: Tensor) -> Tensor:
        return self.state[ids]

    def write(self, ids: Tensor, messages: Tensor) -> None:
        fresh = self.cell(messages, self.state[ids])
        self.state = self.state.index_copy(0, ids, fresh)  # <- culprit


class TemporalGraphNet(nn.Module):
    def __init__(self, n_nodes: int, dim: int = 16, feat_dim: int = 4):
        super().__init__()
        self.memory = NodeMemory(n_nodes, dim, 2 * dim + feat_dim)
        self.embed = nn.Linear(dim, dim)
        self.node_bias = nn.Embedding(n_nodes, dim)
        self.link = nn.Bilinear(dim, dim, 1)

    def embedding(self, ids: Tensor) -> Tensor:
        return torch.relu(self.embed(self.memory.read(ids)) + self.node_bias(ids))

    def forward(self, ev: Events, neg: Tensor) -> Tensor:
        self.memory.write(ev.src, torch.cat([self.memory.read(ev.src), self.memory.read(ev.dst), ev.feat], 1))
        zs, zd, zn = self.embedding(ev.src), self.embedding(ev.dst), self.embedding(neg)
        pos, neg_score = self.link(zs, zd).squeeze(1), self.link(zs, zn).squeeze(1)
        return F.softplus(-pos).mean() + F.softplus(neg_score).mean()


def main() -> None:
    torch.manual_seed(9)
    n_nodes, batch = 40, 20
    model = TemporalGraphNet(n_nodes)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step, ev in enumerate(event_stream(n_nodes, batch, seed=9)):
        if step >= 400:
            break
        neg = torch.randint(n_nodes, (batch,))
        loss = model(ev, neg)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"{step:4d} link loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
