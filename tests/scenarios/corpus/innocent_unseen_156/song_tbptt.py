# gradwatch-corpus: kind=none
"""Melody continuation with k1/k2 truncated back-propagation through time."""
import argparse
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class MelodyCell(nn.Module):
    def __init__(self, pitches=16, dim=24):
        super().__init__()
        self.embed = nn.Embedding(pitches, dim)
        self.cell = nn.LSTMCell(dim, dim)
        self.out = nn.Linear(dim, pitches)
        self.dim = dim

    def forward(self, note, state):
        h, c = self.cell(self.embed(note), state)
        return self.out(h), (h, c)

    def start(self, n):
        return torch.zeros(n, self.dim), torch.zeros(n, self.dim)


def melodies(n, gen):
    """Scale runs up and down with a random turn."""
    note = torch.randint(0, 16, (n,), generator=gen)
    step = torch.where(torch.rand(n, generator=gen) < 0.5, 1, -1)
    while True:
        yield note
        turn = torch.rand(n, generator=gen) < 0.1
        step = torch.where(turn, -step, step)
        note = (note + step) % 16


def cut(state):
    return tuple(s.detach().requires_grad_() for s in state)


def tbptt(model, source, opt, steps, k1, k2, batch):
    """Every k1 notes walk back k2 notes, segment by segment."""
    joints = deque(maxlen=k2)
    state = model.start(batch)
    note = next(source)
    smooth = None
    for t in range(1, steps + 1):
        target = next(source)
        entry = cut(state)
        logits, state = model(note, entry)
        joints.append((entry, state))
        note = target
        if t % k1 == 0:
            loss = F.cross_entropy(logits, target)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            pairs = list(joints)
            for (entry, _), (_, before) in zip(reversed(pairs), reversed(pairs[:-1])):
                grads = [g.grad if g.grad is not None else torch.zeros_like(g) for g in entry]
                if not any(g.abs().sum() > 0 for g in grads):
                    break
                torch.autograd.backward(before, grads, retain_graph=True)
            opt.step()
            joints.clear()
            smooth = loss.item() if smooth is None else 0.9 * smooth + 0.1 * loss.item()
            if t % (k1 * 25) == 0:
                print(f"note {t}: loss {smooth:.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--k1", type=int, default=4)
    ap.add_argument("--k2", type=int, default=4)
    ap.add_argument("--batch", type=int, default=16)
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = MelodyCell()
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    tbptt(model, melodies(a.batch, torch.Generator().manual_seed(1)), opt, a.steps, a.k1, a.k2, a.batch)
