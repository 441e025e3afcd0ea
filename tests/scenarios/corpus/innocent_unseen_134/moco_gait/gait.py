import torch


class GaitSource:
    def __init__(self, people, length):
        self.t = torch.arange(length) / 20.0
        self.cadence = 0.8 + torch.rand(people, 1, 1) * 2
        self.shape = torch.randn(people, 3, 3)

    def windows(self, who):
        ph = torch.rand(len(who), 1, 1) * 6.28
        w = 6.28 * self.cadence[who] * self.t + ph
        harm = torch.cat([torch.sin(w), torch.sin(2 * w), torch.cos(3 * w)], 1)
        return self.shape[who] @ harm + 0.2 * torch.randn(len(who), 3, len(self.t))

    def pair(self, n):
        who = torch.randint(0, len(self.cadence), (n,))
        return self.windows(who), self.windows(who), who
