# gradwatch-corpus: kind=second-backward
# holder: recommender.hidden | self.hidden | rec.hidden
# first-bad: 1
# notice: 0
"""Session-parallel next-item recommender (GRU4Rec style) on synthetic click streams.

Each lane of the batch plays one session after the other; when a session ends,
the lane's hidden state is cleared and the next session starts in its place.
"""
import argparse
import random

import torch
from torch import nn
from torch.nn import functional as F


class SessionLanes:
    """Yields (item, next_item, ended) triples, one per lane and click."""

    def __init__(self, n_items, lanes, rng):
        self.n_items = n_items
        self.rng = rng
        self.sessions = [self._fresh() for _ in range(lanes)]
        self.pos = [0] * lanes

    def _fresh(self):
        start = self.rng.randrange(self.n_items)
        step = self.rng.choice([1, 2, 5])
        length = self.rng.randint(4, 14)
        return [(start + step * k) % self.n_items for k in range(length)]

    def __iter__(self):
        return self

    def __next__(self):
        cur, nxt, ended = [], [], []
        for lane, session in enumerate(self.sessions):
            p = self.pos[lane]
            cur.append(session[p])
            nxt.append(session[p + 1])
            if p + 2 >= len(session):
                self.sessions[lane] = self._fresh()
                self.pos[lane] = 0
                ended.append(1.0)
            else:
                self.pos[lane] = p + 1
                ended.append(0.0)
        return torch.tensor(cur), torch.tensor(nxt), torch.tensor(ended)


class GRURecommender(nn.Module):
    def __init__(self, n_items, dim, lanes):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, n_items)
        self.lanes = lanes
        self.dim = dim
        self.hidden = torch.zeros(lanes, dim)

    def forward(self, item):
        self.hidden = self.cell(self.items(item), self.hidden)  # <- culprit
        return self.out(self.hidden)

    def end_sessions(self, ended):
        """Clear the state of the lanes whose session is over."""
        keep = (1.0 - ended).unsqueeze(1)
        self.hidden = self.hidden * keep  # <- culprit


def bpr_max(logits, target, n_negatives=16):
    """BPR-max over sampled negatives."""
    pos = logits.gather(1, target.unsqueeze(1))
    neg_idx = torch.randint(0, logits.size(1), (logits.size(0), n_negatives))
    neg = logits.gather(1, neg_idx)
    weight = F.softmax(neg, dim=1)
    return -torch.log((weight * torch.sigmoid(pos - neg)).sum(1) + 1e-8).mean()


def recall_at(logits, target, k):
    top = logits.topk(k, dim=1).indices
    return (top == target.unsqueeze(1)).any(1).float().mean().item()


def train(rec, stream, optimizer, steps, log_every):
    window_loss, window_recall = 0.0, 0.0
    for step in range(steps):
        item, nxt, ended = next(stream)
        logits = rec(item)
        loss = bpr_max(logits, nxt)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # <- culprit
        optimizer.step()
        rec.end_sessions(ended)

        window_loss += loss.item()
        window_recall += recall_at(logits, nxt, 5)
        if (step + 1) % log_every == 0:
            print(f"step {step + 1:4d} loss {window_loss / log_every:.4f} "
                  f"recall@5 {window_recall / log_every:.3f}")
            window_loss, window_recall = 0.0, 0.0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--items", type=int, default=60)
    ap.add_argument("--lanes", type=int, default=24)
    ap.add_argument("--dim", type=int, default=32)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(11)
    stream = SessionLanes(args.items, args.lanes, random.Random(11))
    recommender = GRURecommender(args.items, args.dim, args.lanes)
    optimizer = torch.optim.Adagrad(recommender.parameters(), lr=args.lr)
    train(recommender, stream, optimizer, args.steps, log_every=20)


if __name__ == "__main__":
    main()
