import torch


class Stream:
    """Noise, a slow drift of the instrument, and a few decaying wave trains."""

    def __init__(self, stations, seconds, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = 0.3 * torch.randn(seconds, stations, 3, generator=g)
        self.y = torch.zeros(seconds, stations)
        drift = torch.cumsum(0.02 * torch.randn(seconds, stations, 1, generator=g), 0)
        self.x += drift
        for s in range(stations):
            t = 20
            while t < seconds - 30:
                length = int(torch.randint(8, 20, (1,), generator=g))
                decay = torch.exp(-torch.arange(length) / 6.0)
                wave = torch.sin(torch.arange(length) * 1.9)
                self.x[t:t + length, s] += (2.0 * decay * wave).unsqueeze(1)
                self.y[t:t + length, s] = 1.0
                t += length + int(torch.randint(10, 60, (1,), generator=g))

    def windows(self, size):
        for start in range(0, len(self.x) - size, size):
            yield self.x[start:start + size], self.y[start:start + size]
