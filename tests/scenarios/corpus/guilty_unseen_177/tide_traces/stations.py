import torch


class Stations:
    def __init__(self, names, seed):
        self.names = names
        self.gen = torch.Generator().manual_seed(seed)
        self.response = torch.randn(len(names), 5, generator=self.gen)
        self.surge = torch.zeros(len(names), 12)

    def report(self, turn):
        k = turn % len(self.names)
        wind = torch.randn(12, 5, generator=self.gen)
        push = wind @ self.response[k]
        self.surge[k] = 0.8 * self.surge[k] + 0.2 * push
        y = self.surge[k] + 0.02 * torch.randn(12, generator=self.gen)
        return self.names[k], wind, y
