import torch
import torch.nn.functional as F
from torch import nn


class Codebook(nn.Module):
    """Codes follow the latents by exponential averages; no gradient goes to them."""

    def __init__(self, size, dim, decay):
        super().__init__()
        self.decay = decay
        codes = 0.1 * torch.randn(size, dim)
        self.register_buffer("codes", codes)
        self.register_buffer("mass", torch.ones(size))
        self.register_buffer("moment", codes.clone())

    def forward(self, latent):
        flat = latent.permute(0, 2, 3, 1).reshape(-1, latent.size(1))
        with torch.no_grad():
            index = torch.cdist(flat, self.codes).argmin(1)
        chosen = self.codes[index].view(latent.size(0), *latent.shape[2:], -1).permute(0, 3, 1, 2)
        commit = F.mse_loss(latent, chosen)
        if self.training:
            self._follow(flat, index)
        return latent + (chosen - latent).detach(), commit, index

    @torch.no_grad()
    def _follow(self, flat, index):
        hot = F.one_hot(index, len(self.codes)).to(flat.dtype)
        self.mass.mul_(self.decay).add_(hot.sum(0), alpha=1 - self.decay)
        self.moment.mul_(self.decay).add_(hot.T @ flat, alpha=1 - self.decay)
        self.codes.copy_(self.moment / (self.mass[:, None] + 1e-3))
        unused = self.mass < 0.02
        if unused.any():
            pick = torch.randint(len(flat), (int(unused.sum()),))
            self.codes[unused] = flat[pick]
            self.moment[unused] = flat[pick]
            self.mass[unused] = 1.0
