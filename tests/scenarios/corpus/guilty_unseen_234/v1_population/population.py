import torch
from torch import nn


class Energy(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.pool = nn.Linear(n_in, n_out)

    def forward(self, r):
        return torch.sqrt(torch.relu(self.pool(r ** 2)) + 1e-3)


class Simple(nn.Module):
    def __init__(self, n_pix, n_out):
        super().__init__()
        self.field = nn.Linear(n_pix, n_out, bias=False)
        self.threshold = nn.Parameter(torch.zeros(n_out))

    def forward(self, image):
        return torch.nn.functional.softplus(self.field(image) - self.threshold)


class PopulationCode(nn.Module):
    def __init__(self, size, n_simple, n_complex):
        super().__init__()
        self.simple = Simple(size * size, n_simple)
        self.complex = Energy(n_simple, n_complex)
        self.readout = nn.Linear(n_complex, 2)
        self.last_rate_cost = 0.0

    def forward(self, image):
        s = self.simple(image)
        c = self.complex(s)
        self.last_rate_cost = s.mean() + c.mean()
        return self.readout(c)
