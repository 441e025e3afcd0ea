import torch


class VibrationSource:
    def __init__(self, n_faults, width):
        self.freq = 1 + torch.rand(n_faults) * 6
        self.n_faults = n_faults
        self.t = torch.linspace(0, 3.1416, width)

    def draw(self, n):
        fault = torch.randint(self.n_faults, (n,))
        phase = 0.3 * torch.randn(n, 1)
        wave = torch.sin(self.freq[fault][:, None] * self.t + phase)
        return wave + 0.2 * torch.randn_like(wave), fault
