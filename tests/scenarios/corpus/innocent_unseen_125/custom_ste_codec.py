# gradwatch-corpus: kind=none
"""Neural codec with a hand-written quantiser (straight-through) and a learned step size."""
import torch
from torch import nn
from torch.autograd.function import once_differentiable

torch.set_num_threads(1)


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step, lo, hi):
        q = (x / step).round().clamp(lo, hi)
        ctx.save_for_backward(x, step, q)
        ctx.bounds = (lo, hi)
        return q * step

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, step, q = ctx.saved_tensors
        lo, hi = ctx.bounds
        inside = (q > lo) & (q < hi)
        gs = torch.where(inside, q - x / step, q)
        return g * inside, (g * gs).sum().view_as(step), None, None


class Codec(nn.Module):
    def __init__(self, d=16, k=6):
        super().__init__()
        self.down, self.up = nn.Linear(d, k), nn.Linear(k, d)
        self.log_step = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x):
        z = Quantise.apply(self.down(x), self.log_step.exp(), -8, 7)
        return self.up(torch.tanh(z)), z


class Bitrate:
    def __init__(self):
        self.counts = torch.zeros(16)

    def see(self, z, step):
        sym = (z.detach() / step.detach()).round().long().clamp(-8, 7) + 8
        self.counts += torch.bincount(sym.flatten(), minlength=16)

    def bits(self):
        p = self.counts / self.counts.sum()
        return -(p * (p + 1e-9).log2()).sum().item()


if __name__ == "__main__":
    torch.manual_seed(34)
    codec, rate = Codec(), Bitrate()
    opt = torch.optim.Adam(codec.parameters(), 3e-3)
    A = torch.randn(4, 16)
    for it in range(700):
        x = torch.randn(20, 4) @ A
        y, z = codec(x)
        dist = (y - x).pow(2).mean()
        opt.zero_grad()
        dist.backward()
        opt.step()
        rate.see(z, codec.log_step.exp())
        if it % 175 == 0:
            print(it, f"{dist.item():.3f} {rate.bits():.2f} bits")
