import torch


class Calls:
    def __init__(self, species, length):
        self.species = species
        self.t = torch.linspace(0, 1, length)
        self.f0 = 4 + 12 * torch.rand(species, 1)
        self.sweep = -6 * torch.rand(species, 1)

    def draw(self, n):
        y = torch.randint(0, self.species, (n,))
        x = torch.sin(6.28 * (self.f0[y] * self.t + self.sweep[y] * self.t ** 2)) * torch.exp(-2 * self.t)
        return x + 0.2 * torch.randn_like(x), y
