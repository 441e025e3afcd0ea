# gradwatch-corpus: kind=none
"""VQ-VAE for photoplethysmogram windows, EMA codebook, straight-through as a Function."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Function


class VectorQuantise(Function):
    @staticmethod
    def forward(ctx, z, codebook):
        d = torch.cdist(z, codebook)
        idx = d.argmin(1)
        ctx.mark_non_differentiable(idx)
        return codebook[idx], idx

    @staticmethod
    def backward(ctx, grad_q, grad_idx):
        return grad_q, None


class SoftClip(Function):
    """Clamp with a small slope outside the range, so that codes stay trainable."""

    @staticmethod
    def forward(ctx, x, bound, slope):
        ctx.save_for_backward(x)
        ctx.bound, ctx.slope = bound, slope
        return x.clamp(-bound, bound)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        inside = x.abs() <= ctx.bound
        return torch.where(inside, g, ctx.slope * g), None, None


class Codebook(nn.Module):
    def __init__(self, k, dim, decay=0.95, revive_below=0.3):
        super().__init__()
        self.decay, self.revive_below = decay, revive_below
        self.register_buffer("weight", torch.randn(k, dim) * 0.5)
        self.register_buffer("size", torch.ones(k))
        self.register_buffer("total", self.weight.clone())

    def forward(self, z):
        q, idx = VectorQuantise.apply(z, self.weight)
        if self.training:
            self.track(z.detach(), idx)
        return q, idx

    @torch.no_grad()
    def track(self, z, idx):
        hot = F.one_hot(idx, len(self.size)).float()
        self.size.lerp_(hot.sum(0), 1 - self.decay)
        self.total.lerp_(hot.t() @ z, 1 - self.decay)
        self.weight = self.total / self.size.clamp(min=1e-3).unsqueeze(1)
        dead = self.size < self.revive_below
        if dead.any():
            pick = torch.randint(0, len(z), (int(dead.sum()),))
            self.weight[dead] = z[pick]
            self.total[dead] = z[pick]
            self.size[dead] = 1.0


class PulseVQ(nn.Module):
    def __init__(self, k=24, dim=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(1, 16, 6, 4, 1), nn.ReLU(), nn.Conv1d(16, dim, 6, 4, 1))
        self.dec = nn.Sequential(nn.ConvTranspose1d(dim, 16, 4, 4), nn.ReLU(), nn.ConvTranspose1d(16, 1, 4, 4))
        self.book = Codebook(k, dim)

    def forward(self, x):
        z = self.enc(x.unsqueeze(1))
        b, c, t = z.shape
        flat = SoftClip.apply(z.transpose(1, 2).reshape(-1, c), 3.0, 0.1)
        q, idx = self.book(flat)
        commit = F.mse_loss(flat, q.detach())
        out = self.dec(q.view(b, t, c).transpose(1, 2)).squeeze(1)
        return out, commit, idx


def pulses(n, length=64):
    t = torch.linspace(0, 1, length)
    hr = 2 + 2 * torch.rand(n, 1)
    ph = torch.rand(n, 1) * 6.28
    x = torch.sin(6.28 * hr * t + ph) + 0.4 * torch.sin(12.57 * hr * t + 2 * ph + 0.7)
    return x + 0.05 * torch.randn(n, length)


def perplexity(idx, k):
    p = torch.bincount(idx, minlength=k).float()
    p = p / p.sum()
    return torch.exp(-(p * (p + 1e-9).log()).sum()).item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(42)
    net = PulseVQ()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    curve = {"rec": [], "ppl": []}
    for step in range(400):
        x = pulses(16)
        out, commit, idx = net(x)
        rec = F.mse_loss(out, x)
        loss = rec + 0.25 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve["rec"].append(rec.item())
        curve["ppl"].append(perplexity(idx, len(net.book.size)))
        if (step + 1) % 100 == 0:
            print(f"{step + 1} rec {sum(curve['rec'][-50:]) / 50:.4f} ppl {curve['ppl'][-1]:.1f}")
