import torch


class VitalsWindows:
    """Windows of heart rate, SpO2 and respiration with patient-specific baselines."""

    def __init__(self, patients=40, length=32, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.base = torch.randn(patients, 3, 1, generator=self.gen)
        self.freq = 0.1 + 0.5 * torch.rand(patients, 3, 1, generator=self.gen)
        self.t = torch.arange(length).float()

    def batch(self, n):
        idx = torch.randint(len(self.base), (n,), generator=self.gen)
        wave = torch.sin(self.freq[idx] * self.t) * 0.5
        return self.base[idx] + wave + 0.1 * torch.randn(n, 3, len(self.t), generator=self.gen)


def two_views(x):
    def one(v):
        gain = 1 + 0.1 * torch.randn(v.shape[0], v.shape[1], 1)
        start = int(torch.randint(0, 6, (1,)))
        v = torch.roll(v * gain, start, dims=-1)
        return v + 0.05 * torch.randn_like(v)
    return one(x), one(x)
