# gradwatch-corpus: kind=none
"""Truncated BPTT with an update on every token and a look back over k2 tokens.

k2 is lengthened twice. Every token is processed with the weights of its own moment (a functional call on copies), so
that going back over the window is well defined although the parameters have moved on.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class Cell(nn.Module):
    def __init__(self, n_sym, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_sym, hidden)
        self.rec = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, n_sym)

    def forward(self, tok, h):
        h = torch.tanh(self.emb(tok) + self.rec(h))
        return self.out(h), h


class Window:
    """Pairs (leaf state that went in, state that came out), newest last."""

    def __init__(self, length):
        self.length = length
        self.pairs = []

    def enter(self, state):
        leaf = state.detach().requires_grad_()
        return leaf

    def leave(self, leaf, state):
        self.pairs.append((leaf, state))
        while len(self.pairs) > self.length:
            self.pairs.pop(0)

    def go_back(self):
        for i in range(len(self.pairs) - 1, 0, -1):
            leaf = self.pairs[i][0]
            if leaf.grad is None:
                break
            self.pairs[i - 1][1].backward(leaf.grad, retain_graph=True)
            leaf.grad = None
        self.pairs[0][0].grad = None


def token_stream(n_sym, batch):
    """A second-order pattern with noise."""
    a = torch.randint(0, n_sym, (batch,))
    b = torch.randint(0, n_sym, (batch,))
    while True:
        c = (a + 2 * b + 1) % n_sym
        flip = torch.rand(batch) < 0.1
        c = torch.where(flip, torch.randint(0, n_sym, (batch,)), c)
        yield b, c
        a, b = b, c


def main():
    torch.set_num_threads(1)
    torch.manual_seed(19)
    n_sym, batch, hidden = 7, 16, 24
    cell = Cell(n_sym, hidden)
    opt = torch.optim.RMSprop(cell.parameters(), lr=2e-3)
    stream = token_stream(n_sym, batch)
    window = Window(3)
    state = torch.zeros(batch, hidden)
    smooth = None
    for t in range(480):
        if t == 120:
            window.length = 7
        elif t == 240:
            window.length = 15
        tok, nxt = next(stream)
        now = {k: p.clone() for k, p in cell.named_parameters()}
        leaf = window.enter(state)
        logits, state = functional_call(cell, now, (tok, leaf))
        window.leave(leaf, state)
        loss = F.cross_entropy(logits, nxt)

        opt.zero_grad()
        loss.backward(retain_graph=True)
        window.go_back()
        nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
        opt.step()

        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if (t + 1) % 80 == 0:
            print(f"t={t + 1:3d} k2={window.length:2d} loss={smooth:.3f}")


if __name__ == "__main__":
    main()
