import torch


class SnippetBank:
    def __init__(self, species, length):
        self.species, self.length = species, length
        self.freq = torch.linspace(3, 16, species)
        self.t = torch.linspace(0, 1, length)

    def clean(self, y):
        f = self.freq[y][:, None]
        chirp = torch.sin(6.2832 * (f * self.t + 0.15 * f * self.t ** 2))
        return chirp * torch.exp(-((self.t - 0.5) / 0.3) ** 2)

    def augment(self, x):
        gain = 0.7 + 0.6 * torch.rand(len(x), 1)
        shift = int(torch.randint(-6, 7, (1,)))
        return torch.roll(x, shift, 1) * gain + 0.15 * torch.randn_like(x)

    def pair(self, n):
        x = self.clean(torch.randint(0, self.species, (n,)))
        return self.augment(x), self.augment(x)

    def labelled(self, n):
        y = torch.randint(0, self.species, (n,))
        return self.augment(self.clean(y)), y
