# gradwatch-corpus: kind=none
"""Dialogue-act tagger over interleaved sessions that open, live a while and time out."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class Session:
    def __init__(self, sid, now, acts):
        self.sid = sid
        self.opened = now
        self.last_seen = now
        self.acts = acts
        self.outputs = []
        self.losses = []

    def touch(self, now, output, loss):
        self.last_seen = now
        self.outputs.append(output)
        self.losses.append(loss)


class SessionPool:
    def __init__(self, idle, max_age):
        self.idle = idle
        self.max_age = max_age
        self.open = {}
        self.closed = 0
        self.turns = 0
        self.loss_sum = 0.0

    def get(self, sid, now, factory):
        s = self.open.get(sid)
        if s is None:
            s = self.open[sid] = Session(sid, now, factory())
        return s

    def sweep(self, now):
        for sid in list(self.open):
            s = self.open[sid]
            if now - s.last_seen > self.idle or now - s.opened > self.max_age:
                self.close(sid)

    def close(self, sid):
        s = self.open.pop(sid)
        self.closed += 1
        self.turns += len(s.losses)
        self.loss_sum += sum(l.item() for l in s.losses)


class Tagger(nn.Module):
    def __init__(self, vocab=60, acts=5, dim=20):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 24, 3, padding=1)
        self.out = nn.Linear(24, acts)

    def forward(self, tokens):
        h = F.relu(self.conv(self.emb(tokens).transpose(1, 2)))
        return self.out(h.amax(dim=-1))


def main():
    torch.manual_seed(37)
    rng = random.Random(37)
    topics = torch.softmax(2 * torch.randn(5, 60), dim=-1)
    model = Tagger()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    pool = SessionPool(idle=15, max_age=60)
    live = [0, 1, 2, 3]
    fresh = 4
    for now in range(620):
        if rng.random() < 0.15:
            live[rng.randrange(len(live))] = fresh
            fresh += 1
        session = pool.get(rng.choice(live), now, lambda: rng.sample(range(5), 3))
        y = torch.tensor([rng.choice(session.acts) for _ in range(12)])
        tokens = torch.multinomial(topics[y], 8, replacement=True)
        logits = model(tokens)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        session.touch(now, logits, loss)
        pool.sweep(now)
        if now % 124 == 123:
            print(f"{now + 1}: open {len(pool.open)} closed {pool.closed} loss {pool.loss_sum / max(1, pool.turns):.3f}")


if __name__ == "__main__":
    main()
