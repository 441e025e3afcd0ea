import torch


class Network:
    def __init__(self, stations, samples=128, seed=2):
        self.g = torch.Generator().manual_seed(seed)
        self.samples = samples
        self.site = 0.5 + torch.rand(stations, 3, generator=self.g)

    def batch(self, n):
        t = torch.arange(self.samples, dtype=torch.float32)
        onset = torch.randint(16, self.samples - 40, (n,), generator=self.g).float()
        lag = (t[None] - onset[:, None]).clamp(min=0)
        freq = 0.2 + 0.3 * torch.rand(n, 1, generator=self.g)
        burst = torch.sin(freq * lag * 3.1) * torch.exp(-lag / 18) * (lag > 0)
        st = torch.randint(0, self.site.shape[0], (n,), generator=self.g)
        noise = 0.15 * torch.randn(n, 3, self.samples, generator=self.g)
        return self.site[st][:, :, None] * burst[:, None] + noise, onset
