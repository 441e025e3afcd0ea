# gradwatch-corpus: kind=none
"""VQ bottleneck for vocoder frames; the codebook follows its members by moving averages, as in VQ-VAE-2."""
import torch
from torch import nn
import torch.nn.functional as F


class EMACodebook(nn.Module):
    def __init__(self, size=32, dim=8, decay=0.95):
        super().__init__()
        self.decay = decay
        self.register_buffer("codes", torch.randn(size, dim))
        self.register_buffer("counts", torch.ones(size))
        self.register_buffer("sums", self.codes.clone())
        self.last_usage = None

    def forward(self, z):
        dist = torch.cdist(z, self.codes)
        pick = dist.argmin(dim=1)
        quant = F.embedding(pick, self.codes)
        commit = F.mse_loss(z, quant)
        if self.training:
            self.follow(z, pick)
        return z + (quant - z).detach(), commit

    @torch.no_grad()
    def follow(self, z, pick):
        hot = F.one_hot(pick, len(self.codes)).float()
        self.counts = self.decay * self.counts + (1 - self.decay) * hot.sum(dim=0)
        self.sums = self.decay * self.sums + (1 - self.decay) * hot.t() @ z
        self.codes = self.sums / self.counts.clamp_min(1e-3).unsqueeze(1)
        self.last_usage = hot.amax(dim=0).mean()


class FrameCodec(nn.Module):
    def __init__(self, bins=40):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 48), nn.GELU(), nn.Linear(48, 8))
        self.vq = EMACodebook()
        self.dec = nn.Sequential(nn.Linear(8, 48), nn.GELU(), nn.Linear(48, bins))

    def forward(self, x):
        q, commit = self.vq(self.enc(x))
        return self.dec(q), commit


def frames(n, bins, basis):
    which = torch.randint(0, len(basis), (n,))
    return basis[which] * (0.7 + 0.6 * torch.rand(n, 1)) + 0.1 * torch.randn(n, bins)


class CodecTrainer:
    def __init__(self):
        torch.manual_seed(64)
        self.codec = FrameCodec()
        self.basis = torch.randn(16, 40)
        self.opt = torch.optim.Adam(self.codec.parameters(), lr=3e-3)
        self.smooth = None

    def step(self):
        x = frames(96, 40, self.basis)
        recon, commit = self.codec(x)
        rec_loss = F.l1_loss(recon, x)
        (rec_loss + 0.25 * commit).backward()
        self.opt.step()
        self.opt.zero_grad()
        with torch.no_grad():
            now = rec_loss.detach().clone()
            self.smooth = now if self.smooth is None else torch.lerp(self.smooth, now, 0.1)


trainer = CodecTrainer()
for i in range(140):
    trainer.step()
    if i % 35 == 34:
        print(f"{i + 1} l1 {trainer.smooth.item():.3f} usage {trainer.codec.vq.last_usage.item():.2f}")
