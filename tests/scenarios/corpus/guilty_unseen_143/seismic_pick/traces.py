import torch


class TraceFactory:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)

    def draw(self):
        onset = int(torch.randint(12, 50, (1,), generator=self.rng))
        wave = 0.1 * torch.randn(1, 3, 64, generator=self.rng)
        t = torch.arange(64 - onset, dtype=torch.float32)
        wave[..., onset:] += torch.sin(0.9 * t) * torch.exp(-t / 14)
        return wave, float(onset)
