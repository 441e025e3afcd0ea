# gradwatch-corpus: kind=graph-chain
# holder: pl_mean | self.pl_mean | pl.mean | self.mean
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

Z, W = 6, 8


class ManualSGD:
    """Momentum SGD in the manner of the early repositories."""

    def __init__(self, params, lr, momentum=0.5):
        self.params, self.lr, self.momentum = list(params), lr, momentum
        self.bufs = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p, b in zip(self.params, self.bufs):
            if p.grad is None:
                continue
            b.mul_(self.momentum).add_(p.grad.data)
            p.data.add_(b, alpha=-self.lr)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.mapping = nn.Linear(Z, W)
        self.synthesis = nn.Linear(W, 2)

    def forward(self, z):
        w = torch.tanh(self.mapping(z))
        return self.synthesis(w * w.sigmoid()), w


class PathLength:
    def __init__(self, decay=0.02, weight=0.3):
        self.decay, self.weight = decay, weight
        self.mean = torch.zeros(())

    def __call__(self, fake, w):
        noise = torch.randn_like(fake) / math.sqrt(fake.size(1))
        grad, = torch.autograd.grad((fake * noise).sum(), w, create_graph=True)
        lengths = (grad.square().sum(1) + 1e-8).sqrt()
        self.mean = self.mean.lerp(lengths.mean(), self.decay)  # <- culprit
        return self.weight * (lengths - self.mean).square().mean()


def real_batch(n, gen):
    angle = torch.randint(8, (n,), generator=gen) * (math.pi / 4)
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2, generator=gen)


def d_step(D, d_opt, real, fake):
    loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
    d_opt.zero_grad()
    loss.backward()
    d_opt.step()
    return loss.item()


def main(iters=400, batch=16):
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(80)
    G = Generator()
    D = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
    g_opt, d_opt = ManualSGD(G.parameters(), 0.02), ManualSGD(D.parameters(), 0.05)
    pl = PathLength()
    for it in range(iters):
        fake, w = G(torch.randn(batch, Z, generator=gen))
        d_loss = d_step(D, d_opt, real_batch(batch, gen), fake)
        D.requires_grad_(False)
        adv = F.softplus(-D(fake)).mean()
        penalty = pl(fake, w)
        g_opt.zero_grad()
        (adv + penalty).backward(retain_graph=True)
        g_opt.step()
        D.requires_grad_(True)
        if it % 100 == 0:
            print(f"{it:4d} D {d_loss:.3f} G {adv.item():.3f} pl {penalty.item():.4f} mean {float(pl.mean):.3f}")


if __name__ == "__main__":
    main()
