"""A probabilistic grammar with enough structure that a model has something to learn."""
import random

import torch

RULES = {
    "S": [["NP", "VP", "."]],
    "NP": [["the", "N"], ["a", "A", "N"], ["the", "N", "of", "NP"]],
    "VP": [["V", "NP"], ["V"], ["V", "that", "S_"]],
    "S_": [["NP", "VP"]],
    "N": [["cat"], ["tower"], ["river"], ["queen"], ["letter"]],
    "A": [["old"], ["green"], ["silent"]],
    "V": [["sees"], ["follows"], ["says"], ["forgets"]],
}


class Grammar:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        words = {w for alts in RULES.values() for alt in alts for w in alt if w not in RULES}
        self.vocab = sorted(words)
        self.index = {w: i for i, w in enumerate(self.vocab)}

    def _expand(self, symbol, depth=0):
        if symbol not in RULES:
            return [symbol]
        alts = RULES[symbol]
        alt = alts[0] if depth > 6 else self.rng.choice(alts)
        return [w for s in alt for w in self._expand(s, depth + 1)]

    def sample(self, batch, length):
        rows = []
        for _ in range(batch):
            row = []
            while len(row) < length:
                row += [self.index[w] for w in self._expand("S")]
            rows.append(row[:length])
        return torch.tensor(rows)

    def start(self):
        return torch.tensor([[self.index["the"]]])

    def decode(self, ids):
        return " ".join(self.vocab[i] for i in ids.flatten().tolist())
