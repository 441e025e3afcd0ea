import torch


class Plant:
    n_temps, n_faults = 5, 4

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.load = torch.linspace(0, 6.28, 48)

    def temperatures(self, n):
        wear = torch.rand(n, 1, 1, generator=self.gen)
        phase = torch.rand(n, 1, 1, generator=self.gen) * 6.28
        gain = torch.linspace(0.2, 1.0, self.n_temps).view(1, -1, 1)
        x = torch.sin(self.load + phase) + gain * wear * 1.5
        x = x + 0.2 * torch.randn(x.shape, generator=self.gen)
        return x, 1 - wear.flatten()

    def vibration(self, n):
        fault = torch.randint(self.n_faults, (n,), generator=self.gen)
        t = torch.arange(128).float()
        base = torch.sin(0.3 * t) + 0.8 * torch.randn(n, 128, generator=self.gen)
        tone = torch.sin((0.7 + 0.5 * fault.float()).unsqueeze(1) * t)
        return base + 0.7 * tone * (fault > 0).unsqueeze(1), fault
