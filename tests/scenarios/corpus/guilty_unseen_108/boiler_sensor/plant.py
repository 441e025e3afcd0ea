import torch


class Boiler:
    def __init__(self, seed, hours=4000):
        g = torch.Generator().manual_seed(seed)
        fuel = torch.zeros(hours)
        air = torch.zeros(hours)
        o2 = torch.zeros(hours)
        f = a = 0.0
        o = 3.0
        noise = torch.randn(hours, 3, generator=g)
        for t in range(hours):
            f = 0.95 * f + 0.2 * noise[t, 0].item()
            a = 0.9 * a + 0.1 * f + 0.1 * noise[t, 1].item()
            o = 0.8 * o + 0.2 * (3.0 + 1.5 * a - 1.2 * f) + 0.03 * noise[t, 2].item()
            fuel[t], air[t], o2[t] = f, a, o
        steam = 0.7 * fuel + 0.05 * torch.randn(hours, generator=g)
        self.inputs = torch.stack([fuel, air, steam], 1)
        self.oxygen = o2 - o2.mean()

    def window(self, batch, length):
        start = torch.randint(0, len(self.oxygen) - length, (batch,))
        idx = start[:, None] + torch.arange(length)
        return self.inputs[idx], self.oxygen[idx]
