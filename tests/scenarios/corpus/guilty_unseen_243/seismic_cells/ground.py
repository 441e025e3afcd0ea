import torch


class Geophone:
    """Noise with bursts which start at random and ring down."""

    def __init__(self, stations, channels):
        self.ring = torch.zeros(stations)
        self.channels = channels

    def record(self, length):
        traces = []
        flags = []
        for _ in range(length):
            start = (torch.rand_like(self.ring) < 0.04).float()
            self.ring = torch.clamp(0.85 * self.ring + 2.5 * start, max=4.0)
            noise = torch.randn(self.ring.numel(), self.channels)
            traces.append(noise * (0.3 + self.ring.unsqueeze(1)))
            flags.append((self.ring > 0.5).float())
        return torch.stack(traces, dim=1), torch.stack(flags, dim=1)
