# gradwatch-corpus: kind=none
# about: custom Functions with ctx attributes and straight-through; codebook and usage by detached running averages
import torch
from torch import nn

from .book import CodeBook
from .functions import RoundClip, Snap

torch.manual_seed(8)


def tiles(n):
    y, x = torch.meshgrid(torch.linspace(0, 1, 12), torch.linspace(0, 1, 12), indexing="ij")
    k = torch.randint(0, 4, (n, 1, 1)) * .785
    f = 3 + 9 * torch.rand(n, 1, 1)
    return (.5 + .5 * torch.sin(f * (x * k.cos() + y * k.sin()))).flatten(1)


enc = nn.Sequential(nn.Linear(144, 96), nn.ReLU(), nn.Linear(96, 4 * 10))
dec = nn.Sequential(nn.Linear(4 * 10, 96), nn.ReLU(), nn.Linear(96, 144))
book = CodeBook(48, 10)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=2e-3)
usage = torch.zeros(48)
for i in range(450):
    img = tiles(64)
    z = enc(img).view(-1, 10)
    q, pick = Snap.apply(z, book.codes, .25)
    rec = RoundClip.apply(dec(q.view(64, -1)) + .5, 32)
    err = (rec - img).square().sum(1).mean()
    opt.zero_grad()
    err.backward()
    opt.step()
    alive = book.absorb(z.detach(), pick)
    usage.mul_(.99).add_(torch.bincount(pick, minlength=48), alpha=.01)
    if i % 50 == 0:
        p = usage / usage.sum()
        print(f"{i:4d} error {err.item():.3f} codes in use {alive} perplexity {(-(p * (p + 1e-9).log()).sum()).exp().item():.1f}")
