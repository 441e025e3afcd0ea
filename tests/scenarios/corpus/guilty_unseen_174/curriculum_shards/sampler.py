"""Samplers that order shards of a corpus by how hard they were."""
import random


class ShardSampler:
    def __init__(self, n_shards, seed=0):
        self.n_shards = n_shards
        self.rng = random.Random(seed)

    def next_shard(self):
        raise NotImplementedError

    def feedback(self, shard, losses):
        pass


class HardnessCurriculum(ShardSampler):
    """Visits unseen shards first, easiest neighbours early; revisits by hardness."""

    def __init__(self, n_shards, revisit=0.1, seed=0):
        super().__init__(n_shards, seed)
        self.hardness = {}
        self.revisit = revisit
        self.cursor = 0

    def next_shard(self):
        if self.hardness and self.rng.random() < self.revisit:
            pool = self.rng.sample(sorted(self.hardness), min(8, len(self.hardness)))
            return max(pool, key=lambda s: float(self.hardness[s]))
        shard = self.cursor % self.n_shards
        self.cursor += 1
        return shard

    def feedback(self, shard, losses):
        self.hardness[shard] = losses.quantile(0.9)  # <- culprit
