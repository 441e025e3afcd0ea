from dataclasses import dataclass

import torch


@dataclass
class StreamConfig:
    fields: int
    buckets: int
    batch: int
    steps: int
    seed: int = 4


class ImpressionStream:
    """Categorical impressions hashed into a signed vector, with a click label and a dwell time."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.taste = torch.randn(cfg.buckets, generator=self.gen)

    def _hash(self):
        c = self.cfg
        slots = torch.randint(0, c.buckets, (c.batch, c.fields), generator=self.gen)
        signs = torch.randint(0, 2, (c.batch, c.fields), generator=self.gen) * 2.0 - 1.0
        return torch.zeros(c.batch, c.buckets).scatter_add_(1, slots, signs)

    def __iter__(self):
        c = self.cfg
        for _ in range(c.steps):
            features = self._hash()
            score = features @ self.taste / c.fields ** 0.5
            click = (torch.rand(c.batch, generator=self.gen) < score.sigmoid()).float()
            dwell = score.exp().log1p()
            yield {"features": features, "click": click, "dwell": dwell}
