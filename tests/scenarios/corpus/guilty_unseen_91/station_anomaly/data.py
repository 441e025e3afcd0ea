import torch


class StationStream:
    """Synthetic readings: every regime has its own mean profile and noise level."""

    def __init__(self, n_regimes, n_sensors):
        self.n_regimes = n_regimes
        self.profile = torch.randn(n_regimes, n_sensors)
        self.noise = 0.2 + 0.3 * torch.rand(n_regimes, 1)

    def batch(self, n):
        regime = torch.randint(self.n_regimes, (n,))
        x = self.profile[regime] + self.noise[regime] * torch.randn(n, self.profile.shape[1])
        return x, regime
