"""Synthetic lease clauses assembled from stock phrases."""
import random

import torch
from torch.utils.data import Dataset

CLAUSE_TYPES = {
    "rent": "the tenant shall pay annual rent by equal quarterly payments in advance on the usual quarter days",
    "repair": "the tenant shall keep the premises in good and substantial repair and condition throughout the term",
    "insurance": "the landlord shall insure the building against the insured risks and recover the premium on demand",
    "alienation": "the tenant shall not assign underlet or part with possession of the premises without prior consent",
    "forfeiture": "if any sum is unpaid for twenty one days the landlord may re enter and the term shall end",
}
BOILERPLATE = "provided that subject to without prejudice hereinafter pursuant thereto notwithstanding".split()


class LeaseClauses(Dataset):
    def __init__(self, size, seed=17):
        rng = random.Random(seed)
        words = sorted({w for text in CLAUSE_TYPES.values() for w in text.split()} | set(BOILERPLATE))
        self.vocab = {w: i + 1 for i, w in enumerate(words)}
        self.items = []
        for _ in range(size):
            label = rng.randrange(len(CLAUSE_TYPES))
            source = list(CLAUSE_TYPES.values())[label].split()
            keep = [w for w in source if rng.random() > 0.45] or source[:2]
            noise = [rng.choice(words) for _ in range(rng.randint(2, 10))]
            sentence = keep + noise
            rng.shuffle(sentence)
            self.items.append(([self.vocab[w] for w in sentence], label))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def pad_batch(batch):
    longest = max(len(ids) for ids, _ in batch)
    tokens = torch.zeros(len(batch), longest, dtype=torch.long)
    for row, (ids, _) in enumerate(batch):
        tokens[row, : len(ids)] = torch.tensor(ids)
    return tokens, torch.tensor([label for _, label in batch])
