import torch


class Rover:
    """A handful of omnidirectional robots on smooth random tracks, with noisy sensors."""

    def __init__(self, n, n_sensors):
        self.n = n
        self.mix = torch.randn(2, n_sensors)
        self.xy = torch.zeros(n, 2)

    def drive(self, ticks):
        vel = torch.zeros(self.n, 2)
        for _ in range(ticks):
            vel = 0.9 * vel + 0.02 * torch.randn(self.n, 2)
            self.xy = self.xy + vel
            sensed = 10 * vel @ self.mix + 0.05 * torch.randn(self.n, self.mix.shape[1])
            yield sensed, self.xy.clone()
