# gradwatch-corpus: kind=none
"""VQ-VAE with EMA codebook, usage statistics and dead-code restarts from a small reservoir of latents."""
import collections

import torch
import torch.nn.functional as F
from torch import nn


class EMACodebook(nn.Module):
    def __init__(self, k, d, decay=0.95):
        super().__init__()
        self.register_buffer("codes", torch.randn(k, d))
        self.register_buffer("count", torch.ones(k))
        self.register_buffer("total", self.codes.clone())
        self.decay = decay
        self.recent = collections.deque(maxlen=4)

    @torch.no_grad()
    def _update(self, z, idx):
        onehot = F.one_hot(idx, len(self.codes)).float()
        self.count.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.total.mul_(self.decay).add_(onehot.T @ z, alpha=1 - self.decay)
        self.recent.append(z.clone())
        self.codes = self.total / self.count.clamp(min=1e-3).unsqueeze(1)
        dead = (self.count < 0.05).nonzero().squeeze(1)
        if len(dead):
            pool = torch.cat(list(self.recent))
            self.codes[dead] = pool[torch.randint(len(pool), (len(dead),))]
            self.total[dead] = self.codes[dead]
            self.count[dead] = 1.0

    def forward(self, z):
        idx = torch.cdist(z.detach(), self.codes).argmin(1)
        q = self.codes[idx]
        commit = F.mse_loss(z, q)
        if self.training:
            self._update(z.detach(), idx)
        return z + (q - z).detach(), commit, idx


class VQVAE(nn.Module):
    def __init__(self, d_in=40, d=8, k=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d_in, 96), nn.GELU(), nn.Linear(96, d))
        self.dec = nn.Sequential(nn.Linear(d, 96), nn.GELU(), nn.Linear(96, d_in))
        self.book = EMACodebook(k, d)

    def forward(self, x):
        q, commit, idx = self.book(self.enc(x))
        return self.dec(q), commit, idx


def main():
    torch.manual_seed(77)
    protos = torch.randn(20, 40)
    model = VQVAE()
    opt = torch.optim.Adam(model.parameters(), 2e-3)
    ema_loss = None
    for it in range(150):
        x = protos[torch.randint(20, (128,))] + 0.1 * torch.randn(128, 40)
        rec, commit, idx = model(x)
        loss = F.mse_loss(rec, x) + 0.25 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            ema_loss = loss.clone() if ema_loss is None else ema_loss.mul_(0.9).add_(loss, alpha=0.1)
        if it % 30 == 0:
            print(it, f"{ema_loss.item():.4f} codes used {idx.unique().numel()}")


if __name__ == "__main__":
    main()
