# gradwatch-corpus: kind=inplace-modified
# first-bad: 12
# after: zalandoresearch/pytorch-vq-vae #5 "EMA update before quantization" / lucidrains vector-quantize (codebook buffer changed in forward) -> "modified by an inplace operation"
import math
import torch
from torch import nn
from torch.nn import functional as F


class EMAQuantizer(nn.Module):
    def __init__(self, n_codes=64, dim=12, decay=0.95, warmup=12, entropy_weight=0.02):
        super().__init__()
        self.register_buffer("embed", torch.randn(n_codes, dim) * 0.3)
        self.register_buffer("size", torch.ones(n_codes))
        self.register_buffer("total", self.embed.clone())
        self.decay, self.warmup, self.entropy_weight = decay, warmup, entropy_weight
        self.calls = 0

    @torch.no_grad()
    def _track(self, flat, idx):
        onehot = F.one_hot(idx, len(self.embed)).to(flat)
        self.size.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
        self.total.mul_(self.decay).add_(onehot.T @ flat, alpha=1 - self.decay)
        self.embed.copy_(self.total / (self.size[:, None] + 1e-3))  # <- culprit

    def forward(self, z):
        flat = z.transpose(1, 2).reshape(-1, z.size(1))
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed.T + self.embed.pow(2).sum(1)
        idx = dist.argmin(1)
        usage = (-dist).softmax(1).mean(0)
        reg = math.log(len(self.embed)) + (usage * (usage + 1e-8).log()).sum()
        q = self.embed[idx]
        commit = F.mse_loss(flat, q)
        q = (flat + (q - flat).detach()).view(z.size(0), z.size(2), -1).transpose(1, 2)
        if self.training:
            self.calls += 1
            if self.calls > self.warmup:
                self._track(flat, idx)  # <- culprit
        return q, 0.25 * commit + self.entropy_weight * reg


class Codec(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, 16, 8, 4, 2), nn.ELU(), nn.Conv1d(16, 12, 8, 4, 2))
        self.vq = EMAQuantizer()
        self.dec = nn.Sequential(nn.ConvTranspose1d(12, 16, 8, 4, 2), nn.ELU(), nn.ConvTranspose1d(16, 1, 8, 4, 2))

    def forward(self, wav):
        q, aux = self.vq(self.enc(wav))
        return self.dec(q), aux


def chirps(n, length=512):
    t = torch.linspace(0, 1, length)
    f0, f1 = 20 + 40 * torch.rand(n, 1), 60 * torch.rand(n, 1)
    return torch.sin(2 * math.pi * (f0 * t + f1 * t * t))[:, None]


def train(steps=80):
    torch.manual_seed(7)
    codec = Codec().train()
    opt = torch.optim.Adam(codec.parameters(), lr=2e-3)
    for i in range(steps):
        wav = chirps(12)
        rec, aux = codec(wav)
        loss = F.l1_loss(rec, wav) + aux
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 10 == 0:
            print(f"[{i:03d}] {loss.item():.4f}")


train()
