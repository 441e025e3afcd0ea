# gradwatch-corpus: kind=none
"""Compress sonar pings to a few codes: vector quantisation with a straight-through Function."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(63)


class Snap(torch.autograd.Function):
    usage = None
    calls = 0

    @staticmethod
    def forward(ctx, z, book):
        code = torch.cdist(z, book).argmin(1)
        counts = torch.bincount(code, minlength=len(book)).float()
        Snap.usage = counts if Snap.usage is None else 0.95 * Snap.usage + counts
        Snap.calls += 1
        ctx.save_for_backward(code)
        ctx.size = book.shape
        return book[code]

    @staticmethod
    def backward(ctx, grad):
        code, = ctx.saved_tensors
        return grad, torch.zeros(ctx.size).index_add_(0, code, grad)


class Codec(nn.Module):
    def __init__(self, length=24, dim=6, codes=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(length, 32), nn.ReLU(), nn.Linear(32, dim))
        self.book = nn.Parameter(torch.randn(codes, dim) * 0.5)
        self.dec = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, length))
        self.last = None

    def forward(self, x):
        z = self.enc(x)
        q = Snap.apply(z, self.book)
        self.last = z, q
        return self.dec(q)

    def commitment(self):
        z, q = self.last
        return F.mse_loss(z, q.detach())

    @torch.no_grad()
    def revive(self, rare=0.5):
        z, _ = self.last
        dead = (Snap.usage < rare).nonzero().flatten()
        self.book[dead] = z[torch.randint(0, len(z), (len(dead),))]
        return len(dead)


def pings(n, batch=32, length=24):
    t = torch.arange(length).float()
    for _ in range(n):
        delay = torch.rand(batch, 1) * 16
        yield torch.exp(-0.3 * (t - delay).clamp(min=0)) * (t >= delay) + 0.03 * torch.randn(batch, length)


def main():
    codec = Codec()
    opt = torch.optim.Adam(codec.parameters(), lr=4e-3)
    for n, x in enumerate(pings(120), 1):
        loss = F.mse_loss(codec(x), x) + 0.25 * codec.commitment()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n % 30 == 0:
            print(f"{n}: loss {loss.item():.4f}, codes revived {codec.revive()} after {Snap.calls} calls")


main()
