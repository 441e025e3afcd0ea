import torch

from modes import inference


class ShardTooSmall(ValueError):
    pass


class Evaluator:
    def __init__(self, source, minimum):
        self.source, self.minimum = source, minimum
        self.round = 0

    def _require(self, x):
        if len(x) < self.minimum:
            raise ShardTooSmall(f"{len(x)} rows in shard {self.round}")
        return x

    def __call__(self, model):
        x, y = self.source.holdout(self.round)
        try:
            with inference(model) as m:
                return (m(self._require(x)) - y).abs().mean().item()
        finally:
            self.round += 1
