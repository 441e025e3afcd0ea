from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class EMAVectorQuantizer(nn.Module):
    def __init__(self, k, d, decay=0.95, window=20):
        super().__init__()
        self.decay = decay
        self.register_buffer("embed", torch.randn(k, d))
        self.register_buffer("embed_avg", self.embed.clone())
        self.register_buffer("size", torch.ones(k))
        self.usage = deque(maxlen=window)

    def forward(self, z):
        idx = torch.cdist(z.detach(), self.embed).argmin(1)
        q = self.embed[idx]
        commit = F.mse_loss(z, q)
        out = z + (q - z).detach()
        hot = F.one_hot(idx, len(self.embed)).type_as(z)
        if self.training:
            self._ema(z, hot)
        p = hot.mean(0)
        return out, commit, {"ppl": torch.exp(-(p * (p + 1e-9).log()).sum()).item()}

    @torch.no_grad()
    def _ema(self, z, hot):
        self.size.mul_(self.decay).add_(hot.sum(0), alpha=1 - self.decay)
        self.embed_avg.mul_(self.decay).add_(hot.t() @ z, alpha=1 - self.decay)
        self.embed = self.embed_avg / self.size.clamp_min(1e-3).unsqueeze(1)
        self.usage.append(hot.sum(0))
        if len(self.usage) == self.usage.maxlen:
            dead = torch.stack(list(self.usage)).sum(0) == 0
            if dead.any():
                pick = z[torch.randint(0, len(z), (int(dead.sum()),))]
                self.embed[dead], self.embed_avg[dead], self.size[dead] = pick, pick, 1.0
                self.usage.clear()


class Generator(nn.Module):
    def __init__(self, length, width, d, k):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(length, width), nn.SiLU(), nn.Linear(width, 4 * d))
        self.vq, self.d = EMAVectorQuantizer(k, d), d
        self.dec = nn.Sequential(nn.Linear(4 * d, width), nn.SiLU(), nn.Linear(width, length))

    @property
    def last_layer(self):
        return self.dec[-1].weight

    def forward(self, x):
        z = self.enc(x).view(-1, self.d)
        q, commit, stats = self.vq(z)
        return self.dec(q.view(len(x), -1)), commit, stats


class Discriminator(nn.Sequential):
    def __init__(self, length):
        super().__init__(nn.Linear(length, 48), nn.LeakyReLU(0.2), nn.Linear(48, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
