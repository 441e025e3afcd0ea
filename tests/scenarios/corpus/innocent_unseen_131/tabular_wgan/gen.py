import torch
from torch import nn


def bank_rows(n):
    age = torch.randn(n, 1)
    kind = torch.randint(0, 3, (n,))
    return torch.cat([age, age * 0.5 + 0.1 * torch.randn(n, 1), nn.functional.one_hot(kind, 3).float()], 1)


class Generator(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.z = z
        self.body = nn.Sequential(nn.Linear(z, 32), nn.ReLU(), nn.Linear(32, 5))

    def sample(self, n):
        o = self.body(torch.randn(n, self.z))
        return torch.cat([o[:, :2], nn.functional.gumbel_softmax(o[:, 2:], tau=0.5)], 1)
