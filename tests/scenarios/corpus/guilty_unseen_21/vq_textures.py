# gradwatch-corpus: kind=graph-held
# holder: self.codebook.weight._backward_hooks | vq.codebook.weight._backward_hooks | self.codebook.weight | err | note | model.vq.codebook.weight._backward_hooks | note.__defaults__ | model.vq.codebook.weight
# first-bad: 1
"""VQ autoencoder on synthetic stripe textures, with a hand-written straight-through Function and a look at how hard each code is pulled."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class NearestCode(torch.autograd.Function):
    """Forward: the nearest row of the codebook. Backward: straight through to z, scatter to the codebook."""

    @staticmethod
    def forward(ctx, z, codes):
        idx = torch.cdist(z, codes).argmin(1)
        ctx.save_for_backward(idx)
        ctx.n_codes = codes.shape[0]
        ctx.mark_non_differentiable(idx)
        return codes[idx], idx

    @staticmethod
    def backward(ctx, g, _):
        (idx,) = ctx.saved_tensors
        g_codes = torch.zeros(ctx.n_codes, g.shape[1]).index_add_(0, idx, g)
        return g, g_codes * 0.1


class VectorQuantizer(nn.Module):
    def __init__(self, n_codes, d, beta=0.25):
        super().__init__()
        self.codebook = nn.Embedding(n_codes, d)
        nn.init.uniform_(self.codebook.weight, -0.5, 0.5)
        self.beta = beta
        self.pull = 0.0

    def _observe(self, err, idx):
        def note(grad, err=err, idx=idx):
            with torch.no_grad():
                strength = grad.norm(dim=1)[idx]
                self.pull = (strength * err).mean().item()

        if self.training:
            self.codebook.weight.register_hook(note)  # <- culprit

    def forward(self, z):
        q, idx = NearestCode.apply(z, self.codebook.weight)
        hard = F.embedding(idx, self.codebook.weight)
        err = (z - hard.detach()).pow(2).sum(1)
        commit = self.beta * err.mean() + F.mse_loss(hard, z.detach())
        self._observe(err, idx)  # <- culprit
        return q, commit, idx


class VQAutoencoder(nn.Module):
    def __init__(self, side=12, patch=4, d=8, n_codes=32):
        super().__init__()
        self.side, self.patch = side, patch
        self.enc = nn.Sequential(nn.Linear(patch * patch, 48), nn.ReLU(), nn.Linear(48, d))
        self.vq = VectorQuantizer(n_codes, d)
        self.dec = nn.Sequential(nn.Linear(d, 48), nn.ReLU(), nn.Linear(48, patch * patch))

    def forward(self, img):
        p = self.patch
        cells = F.unfold(img[:, None], p, stride=p).transpose(1, 2)
        b, n, _ = cells.shape
        q, commit, idx = self.vq(self.enc(cells.reshape(b * n, -1)))
        rec = self.dec(q).view(b, n, -1).transpose(1, 2)
        return F.fold(rec, (self.side, self.side), p, stride=p)[:, 0], commit, idx


def textures(n, side=12):
    ax = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    angle = torch.rand(n, 1, 1) * math.pi
    freq = 2 + 4 * torch.rand(n, 1, 1)
    phase = torch.rand(n, 1, 1) * 2 * math.pi
    return torch.sin(freq * (xx * angle.cos() + yy * angle.sin()) * math.pi / 2 + phase)


def perplexity(idx, n):
    p = torch.bincount(idx, minlength=n).float() / len(idx)
    return torch.exp(-(p * (p + 1e-9).log()).sum()).item()


def main(iterations=240):
    torch.manual_seed(21)
    model = VQAutoencoder()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(iterations):
        img = textures(24)
        rec, commit, idx = model(img)
        loss = F.mse_loss(rec, img) + commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 60 == 59:
            print(f"{it + 1:4d}  loss {loss.item():.4f}  codes {perplexity(idx, 32):.1f}  pull {model.vq.pull:.2e}")

    model.eval()
    with torch.no_grad():
        img = textures(64)
        print("held out:", round(F.mse_loss(model(img)[0], img).item(), 4))


if __name__ == "__main__":
    main()
