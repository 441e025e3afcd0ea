import torch
import torch.nn as nn
import torch.nn.functional as F


class EMAQuantizer(nn.Module):
    def __init__(self, n_codes=16, dim=8, decay=0.95):
        super().__init__()
        self.decay = decay
        self.register_buffer("codebook", torch.randn(n_codes, dim))
        self.register_buffer("counts", torch.ones(n_codes))
        self.register_buffer("sums", self.codebook.clone())
        self.last_input = None

    def forward(self, z):
        idx = torch.cdist(z.detach(), self.codebook).argmin(-1)
        q = self.codebook[idx]
        if self.training:
            self.last_input = z
            self._track(z, idx)
        commit = F.mse_loss(z, q)
        return z + (q - z).detach(), commit

    @torch.no_grad()
    def _track(self, z, idx):
        hot = F.one_hot(idx, len(self.codebook)).to(z.dtype)
        self.counts.lerp_(hot.sum(0), 1 - self.decay)
        self.sums.lerp_(hot.t() @ z, 1 - self.decay)
        self.codebook = self.sums / self.counts.clamp_min(1e-3)[:, None]

    @torch.no_grad()
    def revive(self, floor=0.05):
        dead = (self.counts < floor).nonzero()[:, 0]
        pick = torch.randint(len(self.last_input), (len(dead),))
        self.sums[dead] = self.last_input[pick]
        self.counts[dead] = 1.0

    def perplexity(self):
        p = self.counts / self.counts.sum()
        return torch.special.entr(p).sum().exp().item()


class VQAutoEncoder(nn.Module):
    def __init__(self, n_in, dim=8, width=48):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, width), nn.GELU(), nn.Linear(width, dim))
        self.quantizer = EMAQuantizer(dim=dim)
        self.decoder = nn.Sequential(nn.Linear(dim, width), nn.GELU(), nn.Linear(width, n_in))

    def forward(self, x):
        codes, commit = self.quantizer(self.encoder(x))
        return self.decoder(codes), codes, commit
