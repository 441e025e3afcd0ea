import torch


class SensorStream:
    def __init__(self, config):
        self.config = config

    def __iter__(self):
        gen = torch.Generator().manual_seed(self.config.seed)
        level = torch.zeros(self.config.rows)
        for _ in range(self.config.steps):
            x = torch.randn(self.config.rows, self.config.channels, generator=gen)
            level = 0.8 * level + x[:, 0] - 0.3 * x[:, 1]
            yield x, level
