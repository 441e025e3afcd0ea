import torch


class SignalPairs:
    def __init__(self, classes, length):
        self.freq = torch.linspace(1, 6, classes)
        self.t = torch.linspace(0, 6.28, length)

    def labelled(self, n):
        y = torch.randint(0, len(self.freq), (n,))
        phase = torch.rand(n, 1) * 6.28
        x = torch.sin(self.freq[y][:, None] * self.t + phase)
        return x + 0.1 * torch.randn_like(x), y

    def augment(self, x):
        shift = int(torch.randint(0, x.size(1), ()))
        return x.roll(shift, 1) * (0.7 + 0.6 * torch.rand(len(x), 1)) + 0.1 * torch.randn_like(x)

    def pair(self, n):
        x, _ = self.labelled(n)
        return self.augment(x), self.augment(x)
