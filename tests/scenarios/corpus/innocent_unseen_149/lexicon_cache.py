# gradwatch-corpus: kind=none
"""Link dialect words to dictionary entries; entry vectors are cached until the weights change."""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(60)

ENTRIES, LETTERS, LENGTH = 50, 26, 6


class Speller(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.letters = nn.Embedding(LETTERS, dim)
        self.mix = nn.Linear(dim * LENGTH, dim)

    def forward(self, words):
        return F.normalize(self.mix(self.letters(words).flatten(1)), dim=1)


class Lexicon:
    def __init__(self, words, speller):
        self.words, self.speller = words, speller
        self.cache = {}
        self.hits = self.misses = 0

    def vector(self, i):
        if i in self.cache:
            self.hits += 1
        else:
            self.misses += 1
            self.cache[i] = self.speller(self.words[i:i + 1])[0]
        return self.cache[i]

    def vectors(self, ids):
        return torch.stack([self.vector(int(i)) for i in ids])

    @contextmanager
    def update(self):
        yield
        self.cache.clear()


def dialect(words):
    noisy = words.clone()
    at = torch.randint(0, LENGTH, (len(words),))
    noisy[torch.arange(len(words)), at] = torch.randint(0, LETTERS, (len(words),))
    return noisy


def lookup(lexicon, n=30):
    with torch.no_grad():
        table = lexicon.vectors(range(ENTRIES))
        ids = torch.randint(0, ENTRIES, (n,))
        found = (lexicon.speller(dialect(lexicon.words[ids])) @ table.T).argmax(1)
    lexicon.cache.clear()
    return (found == ids).float().mean().item()


def main():
    lexicon = Lexicon(torch.randint(0, LETTERS, (ENTRIES, LENGTH)), Speller())
    opt = torch.optim.Adam(lexicon.speller.parameters(), lr=4e-3)
    for step in range(100):
        ids = torch.randint(0, ENTRIES, (8,))
        wrong = torch.randint(0, ENTRIES, (8,))
        with lexicon.update():
            q = lexicon.speller(dialect(lexicon.words[ids]))
            near = (q * lexicon.vectors(ids)).sum(1)
            far = (q * lexicon.vectors(wrong)).sum(1)
            loss = F.relu(0.9 - near + far)[ids != wrong].mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        if step % 25 == 24:
            print(f"{step + 1} loss {loss.item():.3f} found {lookup(lexicon):.0%} hits {lexicon.hits} of {lexicon.hits + lexicon.misses}")


main()
