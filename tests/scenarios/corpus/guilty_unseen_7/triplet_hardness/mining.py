import heapq
import random

import torch


class HardnessTable:
    __slots__ = ("score",)

    def __init__(self):
        self.score = {}

    def __len__(self):
        return len(self.score)

    def update(self, idx, values):
        self.score.update(zip(idx.tolist(), values))  # <- culprit

    def hardest(self, k):
        return heapq.nlargest(k, self.score, key=lambda i: float(self.score[i]))

    def quantiles(self):
        v = sorted(float(s) for s in self.score.values())
        return v[len(v) // 10], v[len(v) // 2], v[9 * len(v) // 10]


class MixedSampler:
    """yields index tensors; a share of the anchors comes from the table's hardest, each with one positive"""

    def __init__(self, table, faces, batch, hard_share, refresh):
        self.table, self.faces = table, faces
        self.half = batch // 2
        self.n_hard = int(self.half * hard_share)
        self.refresh = refresh
        self.rng = random.Random(5)

    def __iter__(self):
        pool, t = [], 0
        while True:
            if t % self.refresh == 0 and t:
                pool = self.table.hardest(400)
            hard = self.rng.sample(pool, self.n_hard) if pool else []
            rest = [self.rng.randrange(len(self.faces)) for _ in range(self.half - len(hard))]
            anchors = hard + rest
            mates = [self.rng.choice(self.faces.members[int(self.faces.pid[a])]) for a in anchors]
            t += 1
            yield torch.tensor(anchors + mates)
