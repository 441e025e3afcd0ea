import random

import torch


class NegativePool:
    """Item vectors seen so far; hard negatives are taken from a random slice of them."""

    def __init__(self, seed=0):
        self.vectors = {}
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.vectors)

    def update(self, ids, embeddings):
        for item, vec in zip(ids.tolist(), embeddings):
            self.vectors[item] = vec  # <- culprit

    def hardest(self, query, k, candidates=64):
        keys = self.rng.sample(sorted(self.vectors), min(candidates, len(self.vectors)))
        mat = torch.stack([self.vectors[i].detach() for i in keys])
        scores = query.detach() @ mat.T
        top = scores.mean(0).topk(min(k, len(keys))).indices
        return mat[top]
