import torch
from torch import nn


class RadialNet(nn.Module):
    def __init__(self, n_basis, hidden, cutoff=3.0):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.8, cutoff, n_basis))
        self.eta = (n_basis / (cutoff - 0.8)) ** 2
        self.cutoff = cutoff
        self.pair = nn.Sequential(nn.Linear(n_basis, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.density = nn.Linear(n_basis, hidden, bias=False)
        self.embed = nn.Sequential(nn.Tanh(), nn.Linear(hidden, 1))
        self.shift = nn.Parameter(torch.zeros(()))

    def forward(self, pos):
        b, n, _ = pos.shape
        off = ~torch.eye(n, dtype=torch.bool, device=pos.device)
        vec = (pos[:, :, None] - pos[:, None])[:, off].view(b, n, n - 1, 3)
        d = vec.pow(2).sum(-1).sqrt()
        fade = 0.5 * (torch.cos(torch.pi * (d / self.cutoff).clamp(max=1)) + 1)
        basis = torch.exp(-self.eta * (d[..., None] - self.mu) ** 2) * fade[..., None]
        two_body = (self.pair(basis).squeeze(-1) * fade).sum((1, 2)) / 2
        many_body = self.embed(self.density(basis.sum(2))).sum((1, 2))
        return two_body + many_body + self.shift
