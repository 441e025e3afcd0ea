import torch
import torch.nn as nn
import torch.nn.functional as F


class EMAQuantizer(nn.Module):
    """VQ layer whose codebook follows the encoder by exponential moving averages."""

    def __init__(self, size, dim, decay=0.95, eps=1e-5):
        super().__init__()
        self.size, self.decay, self.eps = size, decay, eps
        init = torch.randn(size, dim) * 0.3
        self.register_buffer("codebook", init.clone())
        self.register_buffer("embed_avg", init.clone())
        self.register_buffer("cluster_size", torch.ones(size))

    def update(self, flat, onehot):
        self.cluster_size.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.embed_avg = self.decay * self.embed_avg + (1 - self.decay) * onehot.t() @ flat  # <- culprit
        n = self.cluster_size.sum()
        smoothed = (self.cluster_size + self.eps) / (n + self.size * self.eps) * n
        self.codebook = self.embed_avg / smoothed.unsqueeze(1)

    def forward(self, z):
        flat = z.reshape(-1, z.size(-1))
        with torch.no_grad():
            idx = torch.cdist(flat, self.codebook).argmin(1)
        q = F.embedding(idx, self.codebook).view_as(z)
        commit = F.mse_loss(z, q)
        if self.training:
            self.update(flat, F.one_hot(idx, self.size).to(z.dtype))
        return z + (q - z).detach(), commit


class ResidualVQ(nn.Module):
    def __init__(self, levels, size, dim):
        super().__init__()
        self.layers = nn.ModuleList(EMAQuantizer(size, dim) for _ in range(levels))

    def forward(self, z):
        residual, total, commit = z, 0.0, 0.0
        for layer in self.layers:
            q, c = layer(residual)
            residual = residual - q.detach()
            total = total + q
            commit = commit + c
        return z + (total - z).detach(), commit / len(self.layers)

    @torch.no_grad()
    def usage(self):
        return torch.stack([(l.cluster_size > 0.5).float().mean() for l in self.layers]).mean().item()
