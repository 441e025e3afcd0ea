# gradwatch-corpus: kind=inplace-modified
# holder: self.embed | self.quantizer.embed | model.quantizer.embed | vq.embed | loss | out["loss"] | terms["usage"]
# first-bad: 31
# notice: 0
"""VQ-VAE on 1-d waveforms, EMA codebook, soft-usage regulariser and revival of unused codes."""
import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMAQuantizer(nn.Module):
    def __init__(self, n_codes, dim, decay=0.95, tau=1.0, revive_every=16, min_usage=0.3):
        super().__init__()
        self.n_codes, self.decay, self.tau = n_codes, decay, tau
        self.revive_every, self.min_usage = revive_every, min_usage
        self.register_buffer("embed", torch.randn(n_codes, dim))
        self.register_buffer("size", torch.ones(n_codes))
        self.register_buffer("total", self.embed.clone())
        self.calls = 0
        self._pending = None

    def sq_dist(self, flat):
        return (
            flat.square().sum(1, keepdim=True)
            - 2 * flat @ self.embed.t()
            + self.embed.square().sum(1)
        )

    @torch.no_grad()
    def _revive(self, flat):
        dead = (self.size < self.min_usage).nonzero().flatten()
        if dead.numel() == 0:
            return 0
        pick = torch.randint(flat.size(0), (dead.numel(),))
        self.embed[dead] = flat[pick]  # <- culprit
        self.total[dead] = flat[pick]
        self.size[dead] = 1.0
        return dead.numel()

    @torch.no_grad()
    def ema_update(self):
        """Called after the optimizer step, with the assignments of the last training batch."""
        flat, onehot = self._pending
        self._pending = None
        self.size.lerp_(onehot.sum(0), 1 - self.decay)
        self.total.lerp_(onehot.t() @ flat, 1 - self.decay)
        n = self.size.sum()
        smoothed = (self.size + 1e-5) / (n + self.n_codes * 1e-5) * n
        self.embed.copy_(self.total / smoothed.unsqueeze(1))

    def forward(self, z):
        flat = z.transpose(1, 2).reshape(-1, z.size(1))
        dist = self.sq_dist(flat)
        idx = dist.argmin(1)
        q = F.embedding(idx, self.embed).view(z.size(0), -1, z.size(1)).transpose(1, 2)
        soft = F.softmax(-dist / self.tau, dim=1).mean(0)
        terms = OrderedDict(
            commit=F.mse_loss(z, q),
            usage=(soft * (soft * self.n_codes + 1e-8).log()).sum(),
        )
        if self.training:
            self._pending = (flat.detach(), F.one_hot(idx, self.n_codes).float())
            self.calls += 1
            if self.calls % self.revive_every == 0:
                self._revive(flat.detach())  # <- culprit
        return z + (q - z).detach(), terms, idx


class WaveVQ(nn.Module):
    def __init__(self, dim=8, n_codes=48):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(1, 16, 4, 2, 1), nn.GELU(), nn.Conv1d(16, 16, 4, 2, 1), nn.GELU(), nn.Conv1d(16, dim, 1)
        )
        self.quantizer = EMAQuantizer(n_codes, dim)
        self.decoder = nn.Sequential(
            nn.Conv1d(dim, 16, 3, 1, 1), nn.GELU(),
            nn.ConvTranspose1d(16, 16, 4, 2, 1), nn.GELU(), nn.ConvTranspose1d(16, 1, 4, 2, 1),
        )

    def forward(self, x):
        q, terms, idx = self.quantizer(self.encoder(x))
        terms["rec"] = F.mse_loss(self.decoder(q), x)
        loss = terms["rec"] + 0.25 * terms["commit"] + 0.05 * terms["usage"]
        return {"loss": loss, "terms": terms, "idx": idx}


class Solver:
    def __init__(self, model, lr=2e-3, iters=100, batch=16):
        self.model, self.iters, self.batch = model, iters, batch
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.99))

    def waves(self, n=None, length=64):
        n = n or self.batch
        t = torch.linspace(0, 1, length)
        f = torch.rand(n, 2, 1) * 6 + 1
        ph = torch.rand(n, 2, 1) * 2 * math.pi
        return torch.sin(2 * math.pi * f * t + ph).mean(1, keepdim=True)

    def step(self):
        out = self.model(self.waves())
        self.opt.zero_grad(set_to_none=True)
        out["loss"].backward()
        self.opt.step()
        self.model.quantizer.ema_update()
        return {k: v.item() for k, v in out["terms"].items()}

    @torch.no_grad()
    def perplexity(self):
        self.model.eval()
        idx = self.model(self.waves(64))["idx"]
        self.model.train()
        p = torch.bincount(idx, minlength=self.model.quantizer.n_codes).float()
        p = p / p.sum()
        return torch.exp(-(p * (p + 1e-10).log()).sum()).item()

    def run(self):
        for it in range(self.iters):
            stats = self.step()
            if it % 10 == 9:
                shown = " ".join(f"{k}={v:.4f}" for k, v in stats.items())
                print(f"{it + 1:4d} {shown} ppl={self.perplexity():.1f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    Solver(WaveVQ()).run()
