import torch
import torch.nn.functional as F
from torch import nn


class VQAutoencoder(nn.Module):
    def __init__(self, n_codes, dim=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 4 * dim))
        self.dec = nn.Sequential(nn.Linear(4 * dim, 64), nn.ReLU(), nn.Linear(64, 32))
        self.codes = nn.Parameter(torch.randn(n_codes, dim) * 0.5)
        self.dim = dim

    def forward(self, x):
        z = self.enc(x).view(-1, self.dim)
        logits = -torch.cdist(z, self.codes) ** 2
        idx = logits.argmax(1)
        q = self.codes[idx]
        vq = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
        recon = self.dec((z + (q - z).detach()).view(len(x), -1))
        usage = logits.softmax(1).mean(0)
        return {"loss": F.mse_loss(recon, x) + vq, "z": z, "idx": idx, "usage": usage}
