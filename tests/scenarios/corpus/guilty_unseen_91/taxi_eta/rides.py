import torch


class RideGenerator:
    def __init__(self, zones):
        self.zones = zones
        self.xy = torch.rand(zones, 2) * 10

    def sample(self, n):
        a = torch.randint(self.zones, (n,))
        b = torch.randint(self.zones, (n,))
        hour = torch.randint(24, (n,))
        dist = (self.xy[a] - self.xy[b]).abs().sum(dim=1)
        rush = 1.0 + 0.6 * ((hour > 7) & (hour < 10)).float()
        minutes = (2.0 + dist * 1.8 * rush) * torch.exp(0.15 * torch.randn(n))
        return a, b, hour, minutes / 10
