import torch
from torch import nn


class BetaVAE(nn.Module):
    def __init__(self, dim=30, code=4, hidden=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, 2 * code))
        self.dec = nn.Sequential(nn.Linear(code, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def terms(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        rec = (self.dec(z) - x).pow(2).sum(-1).mean()
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
        return rec, kl


class BetaRamp:
    def __init__(self, top, over):
        self.top, self.over = top, over

    def __call__(self, step):
        return self.top * min(1.0, (step + 1) / self.over)
