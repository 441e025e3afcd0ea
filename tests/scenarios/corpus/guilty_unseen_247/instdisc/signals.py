import torch


class SignalSet:
    def __init__(self, size, length, families=6):
        self.family = torch.randint(0, families, (size,))
        t = torch.linspace(0, 6.28, length)
        freq = (self.family + 1).float().unsqueeze(1)
        phase = torch.rand(size, 1) * 6.28
        self.x = torch.sin(freq * t + phase) + 0.1 * torch.randn(size, length)

    def __len__(self):
        return len(self.family)

    def augment(self, x):
        scale = 0.8 + 0.4 * torch.rand(x.size(0), 1)
        noisy = scale * x + 0.1 * torch.randn_like(x)
        shift = int(torch.randint(0, 8, ()))
        return torch.roll(noisy, shift, dims=1).unsqueeze(1)

    def views(self, ids):
        x = self.x[ids]
        return self.augment(x), self.augment(x)

    def labelled(self, n):
        return self.x[:n].unsqueeze(1), self.family[:n]
