import torch


class StationFeed:
    """Synthetic station readings: pressure tendencies, humidity, wind; target is rain rate."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.rng = torch.Generator().manual_seed(cfg.seed + 1)
        self.mix = torch.randn(cfg.features, 1, generator=self.rng) / cfg.features ** 0.5

    def _readings(self):
        return torch.randn(self.cfg.batch, self.cfg.features, generator=self.rng)

    def labelled(self):
        x = self._readings()
        return x, torch.tanh(x @ self.mix) + 0.05 * torch.randn(len(x), 1, generator=self.rng)

    def unlabelled(self):
        x = self._readings()
        noise = 0.1 * torch.randn(x.shape, generator=self.rng)
        return x, x + noise
