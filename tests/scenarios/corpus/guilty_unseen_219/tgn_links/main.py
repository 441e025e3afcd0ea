# gradwatch-corpus: kind=second-backward
# holder: self.state | memory.state | model.memory.state | self.memory.state
# first-bad: 2
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from tgn import LinkPredictor, NodeMemory


class TGN(nn.Module):
    def __init__(self, n_nodes, dim, edge_dim):
        super().__init__()
        self.static = nn.Embedding(n_nodes, dim)
        self.memory = NodeMemory(n_nodes, dim, edge_dim)
        self.score = LinkPredictor(dim)

    def embed(self, nodes):
        return self.static(nodes) + self.memory(nodes)

    def forward(self, src, dst, neg):
        s = self.embed(src)
        return self.score(s, self.embed(dst)), self.score(s, self.embed(neg))


def event_stream(n_nodes, n_events, edge_dim, seed):
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(0, n_nodes // 2, (n_events,), generator=g)
    hop = torch.randint(0, 3, (n_events,), generator=g)
    dst = n_nodes // 2 + (src + hop) % (n_nodes // 2)
    t = torch.rand(n_events, generator=g).cumsum(0) / 50
    feat = torch.randn(n_events, edge_dim, generator=g)
    return src, dst, t, feat


def train_epoch(model, opt, events, batch, n_nodes):
    model.train()
    model.memory.reset()
    losses = []
    for lo in range(0, len(events[0]), batch):
        src, dst, t, feat = (e[lo:lo + batch] for e in events)
        neg = torch.randint(n_nodes // 2, n_nodes, dst.shape)
        model.memory.flush()  # <- culprit
        pos_s, neg_s = model(src, dst, neg)
        loss = F.softplus(-pos_s).mean() + F.softplus(neg_s).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.memory.store(src, dst, t, feat)
        losses.append(loss.item())
    return sum(losses) / len(losses)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--nodes", type=int, default=60)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch", type=int, default=40)
    args = ap.parse_args()

    torch.manual_seed(23)
    events = event_stream(args.nodes, 1600, 4, seed=24)
    model = TGN(args.nodes, 24, 4)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for ep in range(args.epochs):
        print(f"epoch {ep}: {train_epoch(model, opt, events, args.batch, args.nodes):.4f}")
