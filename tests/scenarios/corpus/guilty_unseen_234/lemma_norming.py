# gradwatch-corpus: kind=second-backward
# holder: self.seen | lexicon.seen | study.lexicon.seen
# first-bad: 10
"""Character-level predictor of word-naming latencies.

The list of stimuli is presented in the same order in each session of the
norming study, eight words a screen.
"""
import random
import string

import torch
from torch import nn

ALPHABET = {c: i for i, c in enumerate(string.ascii_lowercase)}
SCREEN = 8


def make_stimuli(n, rng):
    words = []
    while len(words) < n:
        size = rng.randint(3, 9)
        w = "".join(rng.choice("aeiou" if i % 2 else "bcdfgklmnprst") for i in range(size))
        if w not in words:
            words.append(w)
    return words


def latency(word, rng):
    vowels = sum(c in "aeiou" for c in word)
    return 0.4 + 0.035 * len(word) - 0.02 * vowels + rng.gauss(0.0, 0.01)


class WordEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.letters = nn.Embedding(26, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, word):
        index = torch.tensor([[ALPHABET[c] for c in word]])
        _, h = self.gru(self.letters(index))
        return h[0, 0]


class Lexicon:
    def __init__(self, encoder):
        self.encoder = encoder
        self.seen = {}

    def __getitem__(self, word):
        if word not in self.seen:
            self.seen[word] = self.encoder(word)  # <- culprit
        return self.seen[word]  # <- culprit

    def rows(self, words):
        return torch.stack([self[w] for w in words])


class NormingStudy:
    def __init__(self, words, latencies):
        self.words = words
        self.y = torch.tensor(latencies)
        self.mu = self.y.mean()
        self.encoder = WordEncoder(12)
        self.head = nn.Sequential(nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 1))
        self.lexicon = Lexicon(self.encoder)
        params = list(self.encoder.parameters()) + list(self.head.parameters())
        self.opt = torch.optim.Adam(params, lr=5e-3)
        self.history = {"mse": []}

    def screens(self):
        for start in range(0, len(self.words), SCREEN):
            yield slice(start, start + SCREEN)

    def session(self):
        for part in self.screens():
            rows = self.lexicon.rows(self.words[part])
            predicted = self.head(rows).squeeze(-1)
            loss = ((predicted - (self.y[part] - self.mu) * 10.0) ** 2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.history["mse"].append(loss.item())


if __name__ == "__main__":
    rng = random.Random(1935)
    torch.manual_seed(1935)
    words = make_stimuli(80, rng)
    study = NormingStudy(words, [latency(w, rng) for w in words])
    for s in range(12):
        study.session()
        print(f"session {s}  mse {study.history['mse'][-1]:.4f}")
