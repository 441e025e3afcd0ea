# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(116)


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels):
        ctx.save_for_backward(x)
        ctx.levels = levels
        return torch.round(x * levels) / levels

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * (x.abs() <= 1).to(g.dtype), None


class Codebook(nn.Module):
    def __init__(self, k=8, d=3):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(k, d) * 0.5)
        self.register_buffer("usage", torch.zeros(k))

    def forward(self, z):
        idx = torch.cdist(z, self.codes).argmin(1)
        q = self.codes[idx]
        self.usage.mul_(0.95).add_(torch.bincount(idx, minlength=len(self.codes)).float(), alpha=0.05)
        commit = (z - q.detach()).pow(2).mean() * 0.25 + (z.detach() - q).pow(2).mean()
        return z + (q - z).detach(), commit


class Codec(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 3), nn.Tanh())
        self.vq = Codebook()
        self.dec = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 12))

    def forward(self, x):
        z = self.enc(x)
        coarse = RoundSTE.apply(z, 4)
        fine, commit = self.vq(z)
        return self.dec(torch.cat([coarse, fine], 1)), commit


codec = Codec()
opt = torch.optim.Adam(codec.parameters(), lr=3e-3)
basis = torch.randn(3, 12)
for it in range(900):
    x = torch.tanh(torch.randn(32, 3) @ basis)
    rec, commit = codec(x)
    loss = nn.functional.mse_loss(rec, x) + commit
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 150 == 0:
        psnr = -10 * torch.log10((rec.detach() - x).pow(2).mean())
        print(it, loss.item(), psnr.item(), int((codec.vq.usage > 0.1).sum()))
