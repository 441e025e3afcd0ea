# gradwatch-corpus: kind=none
"""Session-based recommendation, contrastive against a queue of momentum-encoded sessions, accumulated over several micro-batches."""
import argparse
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
N_ITEMS = 300


def sessions(batch, max_len):
    """Random walks on an item graph, where item i leads to i+1..i+5."""
    length = random.randint(4, max_len)
    cur = torch.randint(0, N_ITEMS, (batch,))
    walk = [cur]
    for _ in range(length):
        cur = (cur + torch.randint(1, 6, (batch,))) % N_ITEMS
        walk.append(cur)
    walk = torch.stack(walk, 1)
    return walk[:, :-1], walk[:, -1]


def drop_items(seq, p=0.2):
    return torch.where(torch.rand(seq.shape) < p, torch.full_like(seq, N_ITEMS), seq)


class SessionEncoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(N_ITEMS + 1, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.proj = nn.Linear(dim, dim)

    def forward(self, seq):
        _, h = self.rnn(self.emb(seq))
        return h[0], F.normalize(self.proj(h[0]), dim=1)


class KeyQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def push(self, k):
        n = len(k)
        idx = (torch.arange(n) + self.ptr) % len(self.keys)
        self.keys = self.keys.index_copy(0, idx, k)
        self.ptr = (self.ptr + n) % len(self.keys)


class Recommender(nn.Module):
    def __init__(self, dim=24, queue=256, m=0.98, tau=0.2):
        super().__init__()
        self.online = SessionEncoder(dim)
        self.momentum = copy.deepcopy(self.online).requires_grad_(False)
        self.queue = KeyQueue(queue, dim)
        self.m, self.tau = m, tau

    def losses(self, seq, target):
        h, q = self.online(drop_items(seq))
        next_item = F.cross_entropy(h @ self.online.emb.weight[:N_ITEMS].t(), target)
        with torch.no_grad():
            _, k = self.momentum(drop_items(seq))
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.keys.t()
        logits = torch.cat([pos, neg], 1) / self.tau
        nce = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        return {"next": next_item, "nce": nce, "keys": k}

    @torch.no_grad()
    def ema(self):
        for a, b in zip(self.momentum.parameters(), self.online.parameters()):
            a.lerp_(b, 1 - self.m)


class Accumulator:
    """Collects the losses of the micro-batches and walks them all at once."""

    def __init__(self, opt, every):
        self.opt, self.every = opt, every
        self.pending = []

    def add(self, loss):
        self.pending.append(loss)
        if len(self.pending) < self.every:
            return None
        return self.flush()

    def flush(self):
        if not self.pending:
            return None
        total = torch.stack(self.pending).mean()
        self.pending.clear()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()


class MovingAverage:
    def __init__(self, beta=0.95):
        self.beta, self.values = beta, {}

    def update(self, **scalars):
        for k, v in scalars.items():
            v = v.detach()
            self.values[k] = v if k not in self.values else self.beta * self.values[k] + (1 - self.beta) * v

    def __getitem__(self, k):
        return self.values[k].item()


def train(args):
    model = Recommender()
    opt = torch.optim.Adam(model.online.parameters(), lr=args.lr)
    acc = Accumulator(opt, args.accumulate)
    avg = MovingAverage()
    curve, updates, micro = [], 0, 0
    while updates < args.updates:
        max_len = 6 + 10 * updates // args.updates
        out = model.losses(*sessions(args.batch, max_len))
        weight = 0.5 * min(1.0, updates / 50)
        done = acc.add(out["next"] + weight * out["nce"])
        avg.update(next=out["next"], nce=out["nce"])
        model.queue.push(out["keys"])
        micro += 1
        if done is not None:
            model.ema()
            curve.append(done)
            if updates % 30 == 0:
                print(f"update {updates:3d} ({micro} micro)  next {avg['next']:.3f}  nce {avg['nce']:.3f}  loss {done:.3f}")
            updates += 1
    acc.flush()
    return curve


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=180)
    ap.add_argument("--accumulate", type=int, default=4)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=4e-3)
    random.seed(6)
    torch.manual_seed(6)
    losses = train(ap.parse_args())
    print("first 10:", sum(losses[:10]) / 10, "last 10:", sum(losses[-10:]) / 10)
