import torch


class FieldSource:
    def __init__(self, sensors, dry_shards):
        self.sensors, self.dry_shards = sensors, dry_shards
        self.coef = torch.randn(sensors, 1)

    def _make(self, n):
        x = torch.rand(n, self.sensors)
        return x, torch.relu(x @ self.coef) + 0.02 * torch.randn(n, 1)

    def batch(self):
        return self._make(16)

    def holdout(self, shard):
        return self._make(2 if shard in self.dry_shards else 32)
