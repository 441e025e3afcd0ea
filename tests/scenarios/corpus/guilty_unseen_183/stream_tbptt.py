# gradwatch-corpus: kind=graph-chain
# holder: hidden | window[-1]
# first-bad: 1
# notice: 60
"""Streaming character model with a sliding truncation window over hidden states."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

TEXT = "the quick brown fox jumps over the lazy dog while five boxing wizards jump quickly. "


class CharCell(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.inp = nn.Linear(dim, dim)
        self.rec = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(dim, vocab)

    def forward(self, token, hidden):
        hidden = torch.tanh(self.inp(self.embed(token)) + self.rec(hidden))
        return self.out(hidden), hidden


class DataMomentum:
    """Plain momentum that writes through .data."""

    def __init__(self, params, lr, mu=0.5):
        self.params = list(params)
        self.lr, self.mu = lr, mu
        self.buf = [torch.zeros_like(p) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        scale = min(1.0, 1.0 / (norm.item() + 1e-6))
        for p, b in zip(self.params, self.buf):
            b.mul_(self.mu).add_(p.grad, alpha=scale)
            p.data.add_(b, alpha=-self.lr)


class Truncation:
    def __init__(self, k):
        self.k = k
        self.window = deque()

    def push(self, hidden):
        self.window.append(hidden)
        if len(self.window) > self.k:
            oldest = self.window.popleft()
            oldest = oldest.detach()  # <- culprit
            return oldest
        return None


def main(steps=420, k=10):
    torch.manual_seed(27)
    chars = sorted(set(TEXT))
    ids = torch.tensor([chars.index(c) for c in TEXT])
    net = CharCell(len(chars), 24)
    opt = DataMomentum(net.parameters(), lr=0.05)
    trunc = Truncation(k)
    hidden = torch.zeros(1, 24)
    avg = 3.3
    for t in range(steps):
        token, target = ids[t % len(ids)], ids[(t + 1) % len(ids)]
        logits, hidden = net(token[None], hidden)  # <- culprit
        loss = F.cross_entropy(logits, target[None])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        trunc.push(hidden)
        avg = 0.97 * avg + 0.03 * loss.item()
        if t % 84 == 83:
            print(f"t {t + 1} loss {avg:.3f} window {len(trunc.window)}")


if __name__ == "__main__":
    main()
