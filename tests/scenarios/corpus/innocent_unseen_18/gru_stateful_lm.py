# gradwatch-corpus: kind=none
"""Stateful character GRU: the module itself carries its state from window to window, per stream."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Carry:
    """State of several streams. `take` starts a new window, `put` ends one."""

    def __init__(self):
        self.slots = {}

    def take(self, stream, like):
        h = self.slots.get(stream)
        return torch.zeros(like) if h is None else h.detach()

    def put(self, stream, h):
        self.slots[stream] = h

    def forget(self):
        self.slots.clear()


class StatefulGRU(nn.Module):
    def __init__(self, vocab, width=40, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.gru = nn.GRU(width, width, layers, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.width, self.layers = width, layers
        self.carry = Carry()

    def forward(self, x, stream="train"):
        h0 = self.carry.take(stream, (self.layers, x.shape[0], self.width))
        out, h = self.gru(self.emb(x), h0)
        self.carry.put(stream, h)
        return F.linear(self.norm(out), self.emb.weight), out


def brackets(n, seed):
    rnd, depth, out = random.Random(seed), [], []
    pairs = {"(": ")", "[": "]", "{": "}"}
    while len(out) < n:
        if depth and rnd.random() < 0.5:
            out.append(pairs[depth.pop()])
        elif len(depth) < 6:
            depth.append(rnd.choice("([{"))
            out.append(depth[-1])
    return out


def windows(ids, batch, length):
    rows = ids[: len(ids) // batch * batch].view(batch, -1)
    for at in range(0, rows.shape[1] - 1 - length, length):
        yield rows[:, at:at + length], rows[:, at + 1:at + 1 + length]


def objective(model, x, y, tar=0.02):
    logits, out = model(x)
    nll = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    smooth = (out[:, 1:] - out[:, :-1]).pow(2).mean()
    return nll + tar * smooth, nll


@torch.no_grad()
def evaluate(model, ids):
    model.eval()
    model.carry.slots.pop("valid", None)
    tot, n = 0.0, 0
    for x, y in windows(ids, 4, 40):
        logits, _ = model(x, stream="valid")
        tot += F.cross_entropy(logits.flatten(0, 1), y.flatten()).item()
        n += 1
    model.train()
    return tot / n


def main(epochs=3):
    torch.manual_seed(2)
    vocab = "()[]{}"
    as_ids = lambda s: torch.tensor([vocab.index(c) for c in s])
    train, valid = as_ids(brackets(16_000, 0)), as_ids(brackets(1200, 1))
    model = StatefulGRU(len(vocab))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    avg, history = None, []
    for epoch in range(epochs):
        model.carry.forget()
        for i, (x, y) in enumerate(windows(train, 8, 14)):
            loss, nll = objective(model, x, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            avg = nll.item() if avg is None else 0.98 * avg + 0.02 * nll.item()
            if i % 60 == 0:
                print(f"epoch {epoch} window {i:3d}  nll {avg:.4f}")
        history.append(evaluate(model, valid))
        print("valid", [round(v, 4) for v in history])


if __name__ == "__main__":
    main()
