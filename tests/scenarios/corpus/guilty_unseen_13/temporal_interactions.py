# gradwatch-corpus: kind=graph-chain
# holder: trainer.model.store.memory | self.memory | model.memory | self.store.memory | store.memory | self.memory.memory | model.store.memory
# first-bad: 1
"""Temporal graph network (after TGN, Rossi et al. 2020) on a synthetic stream of user-item
interactions, with a leaky node memory and link prediction against sampled negatives."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Events:
    src: torch.Tensor
    dst: torch.Tensor
    feat: torch.Tensor
    neg: torch.Tensor


class InteractionStream:
    """Users prefer items of their group; groups drift with time."""

    def __init__(self, users=60, items=40, groups=4, feat=8, seed=0):
        self.users, self.items, self.groups, self.feat = users, items, groups, feat
        self.g = torch.Generator().manual_seed(seed)
        self.user_group = torch.randint(groups, (users,), generator=self.g)
        self.item_group = torch.arange(items) % groups
        self.signature = torch.randn(groups, feat, generator=self.g)

    @property
    def nodes(self):
        return self.users + self.items

    def __call__(self, n, batch):
        for _ in range(n):
            moved = torch.randint(self.users, (1,), generator=self.g)
            self.user_group[moved] = torch.randint(self.groups, (1,), generator=self.g)
            src = torch.randperm(self.users, generator=self.g)[:batch]
            affinity = (self.user_group[src, None] == self.item_group[None]).float() + 0.05
            dst = torch.multinomial(affinity, 1, generator=self.g).squeeze(1)
            neg = torch.randint(self.items, (batch,), generator=self.g)
            feat = self.signature[self.user_group[src]]
            feat = feat + 0.3 * torch.randn(feat.shape, generator=self.g)
            yield Events(src, dst + self.users, feat, neg + self.users)


class NodeMemory(nn.Module):
    """memory[v] <- keep * memory[v] + message, for the nodes of a batch's events."""

    def __init__(self, nodes, feat, dim, keep=0.8):
        super().__init__()
        self.encode = nn.Linear(feat + 1, dim)
        self.keep = keep
        self.register_buffer("memory", torch.zeros(nodes, dim), persistent=False)

    def message(self, feat, role):
        flag = torch.full((feat.shape[0], 1), role)
        return torch.tanh(self.encode(torch.cat([feat, flag], 1)))

    def absorb(self, ev: Events):
        who = torch.cat([ev.src, ev.dst])
        what = torch.cat([self.message(ev.feat, 1.0), self.message(ev.feat, -1.0)])
        touched = torch.zeros(self.memory.shape[0], 1).index_fill(0, who, 1.0)
        decay = 1.0 - (1.0 - self.keep) * touched
        self.memory = (decay * self.memory).index_add(0, who, (1 - self.keep) * what)  # <- culprit

    def read(self, nodes):
        return self.memory[nodes]


class TemporalLinkModel(nn.Module):
    def __init__(self, nodes, feat, dim=24):
        super().__init__()
        self.store = NodeMemory(nodes, feat, dim)
        self.static = nn.Embedding(nodes, dim)
        self.score = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def embed(self, nodes):
        return self.store.read(nodes) + self.static(nodes)

    def forward(self, ev: Events):
        s = self.embed(ev.src)
        pos = self.score(torch.cat([s, self.embed(ev.dst)], 1))
        neg = self.score(torch.cat([s, self.embed(ev.neg)], 1))
        return pos.squeeze(1), neg.squeeze(1)


class StreamTrainer:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.auc = 0.5

    def step(self, ev):
        pos, neg = self.model(ev)
        loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
        self.model.store.absorb(ev)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        hits = (pos.detach()[:, None] > neg.detach()[None]).float().mean().item()
        self.auc = 0.97 * self.auc + 0.03 * hits
        return loss.item()


def main(n=300):
    torch.manual_seed(0)
    stream = InteractionStream()
    trainer = StreamTrainer(TemporalLinkModel(stream.nodes, stream.feat))
    for i, ev in enumerate(stream(n, batch=20)):
        loss = trainer.step(ev)
        if i % 60 == 0:
            print(f"batch {i:4d}  loss {loss:.4f}  AUC (smoothed) {trainer.auc:.3f}")


if __name__ == "__main__":
    main()
