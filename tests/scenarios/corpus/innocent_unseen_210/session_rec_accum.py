# gradwatch-corpus: kind=none
"""GRU4Rec-like session model: micro-batches, a MoCo-style queue of item vectors, best-checkpoint keeping."""
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class EventBus:
    def __init__(self):
        self.subs = {}

    def on(self, name):
        def deco(fn):
            self.subs.setdefault(name, []).append(fn)
            return fn
        return deco

    def emit(self, name, **kw):
        for fn in self.subs.get(name, ()):
            fn(**kw)


bus = EventBus()


class SessionEncoder(nn.Module):
    def __init__(self, n_items=150, d=32):
        super().__init__()
        self.items = nn.Embedding(n_items, d)
        self.gru = nn.GRU(d, d, batch_first=True)

    def forward(self, ids):
        return self.gru(self.items(ids))[1][-1]


class NegativeQueue:
    def __init__(self, batches=8):
        self.q = deque(maxlen=batches)

    def push(self, vecs):
        self.q.append(vecs.detach().clone())

    def all(self):
        return torch.cat(list(self.q)) if self.q else None


def contrastive(h, pos, queue, temp=0.2):
    h, pos = F.normalize(h, dim=-1), F.normalize(pos, dim=-1)
    logits = h @ pos.T
    extra = queue.all()
    if extra is not None:
        logits = torch.cat([logits, h @ extra.T], 1)
    queue.push(pos)
    return F.cross_entropy(logits / temp, torch.arange(len(h)))


def sessions(n, bs=16):
    g = torch.Generator().manual_seed(31)
    for _ in range(n):
        s = torch.randint(0, 150, (bs, 1), generator=g)
        stride = torch.randint(1, 4, (bs, 1), generator=g)
        seq = (s + stride * torch.arange(9)) % 150
        yield seq[:, :-1], seq[:, -1]


def main(accum=4):
    torch.manual_seed(31)
    model, queue = SessionEncoder(), NegativeQueue()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    best = {"loss": float("inf"), "state": None}
    total, log = 0.0, []

    @bus.on("update")
    def keep_best(step, loss):
        if step >= 5 and loss < best["loss"]:
            best.update(loss=float(loss), state=copy.deepcopy(model.state_dict()))

    @bus.on("update")
    def collect(step, loss):
        log.append((step, loss))

    for i, (seq, nxt) in enumerate(sessions(160)):
        loss = contrastive(model(seq), model.items(nxt), queue) / accum
        loss.backward()
        total = total + loss.detach()
        if (i + 1) % accum == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
            bus.emit("update", step=(i + 1) // accum, loss=total)
            total = 0.0
    print(f"updates {len(log)} last {log[-1][1].item():.4f} best {best['loss']:.4f}")
    model.load_state_dict(best["state"])


if __name__ == "__main__":
    main()
