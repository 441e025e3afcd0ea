import torch

from .registry import SAMPLERS


class SamplerBase:
    def __init__(self, size, batch):
        self.size, self.batch = size, batch
        self._order = torch.randperm(size).tolist()
        self._cursor = 0

    def _fresh(self, k):
        if self._cursor + k > self.size:
            self._order = torch.randperm(self.size).tolist()
            self._cursor = 0
        out = self._order[self._cursor:self._cursor + k]
        self._cursor += k
        return out

    def draw(self):
        return torch.tensor(self._fresh(self.batch))

    def observe(self, idx, losses):
        """Called after each step with the rows drawn and their losses."""


@SAMPLERS.register("uniform")
class UniformSampler(SamplerBase):
    pass


@SAMPLERS.register("hard")
class HardSampler(SamplerBase):
    """Part of every batch is new, the rest is drawn from the worst rows seen so far."""

    def __init__(self, size, batch, fresh=0.5, pool=400):
        super().__init__(size, batch)
        self.n_fresh = max(1, int(batch * fresh))
        self.pool = pool
        self.score = {}

    def hardest(self, k):
        return sorted(self.score, key=lambda i: self.score[i].item(), reverse=True)[:k]

    def draw(self):
        pool = self.hardest(self.pool)
        want = self.batch - self.n_fresh
        pick = torch.randperm(len(pool))[:want].tolist()
        rows = self._fresh(self.n_fresh) + [pool[j] for j in pick]
        return torch.tensor(rows)

    def observe(self, idx, losses):
        self.score.update(zip(idx.tolist(), losses))  # <- culprit
