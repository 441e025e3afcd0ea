# gradwatch-corpus: kind=none
# about: hidden state lives on the module and crosses iterations, but is detached after every window (TBPTT)
"""Character GRU on generated doggerel; the state runs through the whole corpus, gradients through one window."""
import itertools
import random

import torch
from torch import nn


def corpus(lines=400, seed=5):
    r = random.Random(seed)
    a, b, c = "the a my your old".split(), "cat moon river clock".split(), "sings sleeps waits turns".split()
    return "\n".join(f"{r.choice(a)} {r.choice(b)} {r.choice(c)} by {r.choice(a)} {r.choice(b)}" for _ in range(lines))


class Scribe(nn.Module):
    def __init__(self, vocab, d=48):
        super().__init__()
        self.look, self.cell, self.out = nn.Embedding(vocab, d), nn.GRUCell(d, d), nn.Linear(d, vocab)
        self.mood = None

    def forward(self, chars):
        if self.mood is None:
            self.mood = torch.zeros(chars.shape[1], self.cell.hidden_size)
        rows = []
        for c in chars:
            self.mood = self.cell(self.look(c), self.mood)
            rows.append(self.out(self.mood))
        return torch.stack(rows)

    def turn_page(self):
        self.mood = self.mood.detach()


if __name__ == "__main__":
    torch.manual_seed(5)
    text = corpus()
    alphabet = sorted(set(text))
    ids = torch.tensor([alphabet.index(ch) for ch in text])
    lanes, span = 8, 8
    cols = ids[: len(ids) // lanes * lanes].view(lanes, -1).T
    scribe = Scribe(len(alphabet))
    opt = torch.optim.Adam(scribe.parameters(), lr=3e-3)
    starts = itertools.cycle(range(0, len(cols) - span - 1, span))
    for n, s in zip(range(320), starts):
        nll = nn.functional.cross_entropy(scribe(cols[s:s + span]).flatten(0, 1), cols[s + 1:s + span + 1].flatten())
        opt.zero_grad()
        nll.backward()
        opt.step()
        scribe.turn_page()
        if n % 80 == 0:
            print(n, f"bits/char {nll.item() / 0.6931:.3f}")
