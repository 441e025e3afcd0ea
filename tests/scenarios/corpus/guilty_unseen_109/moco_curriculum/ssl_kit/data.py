import torch


class EcgWindows:
    def __init__(self, length, batch):
        self.t = torch.linspace(0, 1, length)
        self.batch = batch

    def _render(self, rate, phase):
        base = torch.sin(2 * torch.pi * (rate * self.t + phase))
        spike = torch.exp(-((self.t * rate + phase) % 1 - 0.5) ** 2 * 80)
        return base * 0.3 + spike + 0.1 * torch.randn(len(rate), len(self.t))

    def pair(self):
        rate = 2 + 6 * torch.rand(self.batch, 1)
        return (self._render(rate, torch.rand(self.batch, 1)), self._render(rate, torch.rand(self.batch, 1)))
