# gradwatch-corpus: kind=graph-chain
# holder: state.memory | state | memory | self.memory | self.state.memory
# first-bad: 2
"""Link prediction over a stream of timed interactions, with a decaying memory per node
(a much reduced TGN, to compare message functions)."""
import collections
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

N_NODES, EDGE_DIM, MEM = 40, 6, 16

Batch = collections.namedtuple("Batch", "src dst neg feat")
State = collections.namedtuple("State", "memory seen")


def interactions(n_batches, size=16, seed=0):
    """Nodes live in 4 communities; most interactions stay inside."""
    rnd = random.Random(seed)
    for _ in range(n_batches):
        src, dst, neg, feat = [], [], [], []
        for _ in range(size):
            a = rnd.randrange(N_NODES)
            com = a % 4 if rnd.random() < 0.85 else rnd.randrange(4)
            b = rnd.randrange(N_NODES // 4) * 4 + com
            src.append(a), dst.append(b), neg.append(rnd.randrange(N_NODES))
            feat.append([float(com == c) for c in range(4)] + [rnd.random(), 1.0])
        yield Batch(*map(torch.tensor, (src, dst, neg, feat)))


class Messages(nn.Module):
    """Edge features and the direction -> one message for either end."""

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(EDGE_DIM + 1, MEM)

    def forward(self, feat):
        ones = torch.ones(len(feat), 1)
        both = torch.cat([torch.cat([feat, ones], 1), torch.cat([feat, -ones], 1)])
        return torch.tanh(self.lin(both))


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.node = nn.Embedding(N_NODES, MEM)
        self.mix = nn.Bilinear(2 * MEM, 2 * MEM, 1)

    def view(self, memory, idx):
        return torch.cat([memory[idx], self.node(idx)], -1)

    def forward(self, memory, a, b):
        return self.mix(self.view(memory, a), self.view(memory, b)).squeeze(-1)


def fold_in(state, batch, messages, decay=0.9):
    """Memory after the batch has been seen."""
    ends = torch.cat([batch.src, batch.dst])
    memory = (decay * state.memory).index_add(0, ends, messages(batch.feat))  # <- culprit
    seen = state.seen.clone()
    seen[batch.src] += 1
    return State(memory, seen)


def predict(scorer, state, batch):
    pos = scorer(state.memory, batch.src, batch.dst)
    neg = scorer(state.memory, batch.src, batch.neg)
    return pos, neg


def link_loss(pos, neg):
    return F.softplus(-pos).mean() + F.softplus(neg).mean()


def auc(pos, neg):
    return (pos[:, None] > neg[None]).float().mean().item()


def train(n_batches=220, lr=5e-3):
    messages, scorer = Messages(), Scorer()
    opt = torch.optim.Adam([*messages.parameters(), *scorer.parameters()], lr=lr)
    state = State(torch.zeros(N_NODES, MEM), torch.zeros(N_NODES))
    smoothed = 0.5
    for i, batch in enumerate(interactions(n_batches)):
        pos, neg = predict(scorer, state, batch)
        loss = link_loss(pos, neg)
        opt.zero_grad()
        # the message net is reached by the memory only
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        state = fold_in(state, batch, messages)  # <- culprit
        smoothed = 0.95 * smoothed + 0.05 * auc(pos, neg)
        if i % 55 == 0:
            print(f"batch {i:4d}  loss {loss.item():.4f}  auc {smoothed:.3f}  nodes seen {int((state.seen > 0).sum())}")
    return smoothed


if __name__ == "__main__":
    torch.manual_seed(4)
    print("final auc", round(train(), 3))
