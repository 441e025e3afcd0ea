# gradwatch-corpus: kind=none
"""Unrolled MR reconstruction: four data-consistency steps with a learned denoiser, checkpointed since the clinic's
cards are small. A small reservoir of earlier slices is mixed in against forgetting."""
import random
import weakref

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

SIZE, UNROLL = 24, 4


class SoftShrinkSTE(torch.autograd.Function):
    """Soft shrinkage with a threshold that is learned; our kernel saves the mask only."""

    @staticmethod
    def forward(ctx, x, threshold):
        keep = x.abs() > threshold
        ctx.save_for_backward(keep, x.sign())
        return torch.where(keep, x - threshold * x.sign(), torch.zeros_like(x))

    @staticmethod
    def backward(ctx, grad):
        keep, sign = ctx.saved_tensors
        passed = grad * keep
        return passed, -(passed * sign).sum()


class Denoiser(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.enc = nn.Conv2d(1, ch, 3, padding=1)
        self.dec = nn.Conv2d(ch, 1, 3, padding=1)
        self.threshold = nn.Parameter(torch.tensor(-4.0))

    def forward(self, x):
        return x - self.dec(SoftShrinkSTE.apply(self.enc(x), F.softplus(self.threshold)))


class UnrolledNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.denoiser = Denoiser()
        self.step = nn.Parameter(torch.full((UNROLL,), 0.5))
        self.trace = []

    def consistency(self, x, kspace, mask, i):
        residual = torch.fft.fft2(x) * mask - kspace
        return x - self.step[i] * torch.fft.ifft2(residual).real

    def forward(self, kspace, mask):
        self.trace = [torch.fft.ifft2(kspace).real]
        for i in range(UNROLL):
            x = checkpoint(self.denoiser, self.trace[-1], use_reentrant=False)
            self.trace.append(self.consistency(x, kspace, mask, i))
        return self.trace[-1]

    def deep_supervision(self, target):
        weights = [0.5 ** (UNROLL - i) for i in range(1, UNROLL + 1)]
        loss = sum(w * F.l1_loss(x, target) for w, x in zip(weights, self.trace[1:]))
        self.trace.clear()
        return loss


class Reservoir:
    """Uniform sample of all slices so far, of fixed size (Vitter's algorithm R)."""

    def __init__(self, size, seed):
        self.images = torch.zeros(size, 1, SIZE, SIZE)
        self.seen = 0
        self.rng = random.Random(seed)

    def offer(self, images):
        for img in images:
            slot = self.seen if self.seen < len(self.images) else self.rng.randrange(self.seen + 1)
            if slot < len(self.images):
                self.images[slot].copy_(img)
            self.seen += 1

    def draw(self, k):
        filled = min(self.seen, len(self.images))
        return self.images[[self.rng.randrange(filled) for _ in range(k)]].clone()


class Slices:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def batch(self, n):
        coarse = torch.randn(n, 1, 5, 5, generator=self.g)
        return F.interpolate(coarse, size=SIZE, mode="bicubic", align_corners=False)

    def mask(self):
        lines = torch.rand(SIZE, generator=self.g) < 0.4
        lines[[0, 1, 2, 3, -1, -2, -3]] = True
        return lines.float().view(1, 1, SIZE, 1)


def main(steps=240):
    torch.manual_seed(170)
    data, net, reservoir = Slices(seed=171), UnrolledNet(), Reservoir(size=32, seed=172)
    opt = torch.optim.Adam(net.parameters(), lr=5e-4)
    alive = weakref.WeakSet()
    for step in range(steps):
        fresh = data.batch(2)
        target = fresh if step == 0 else torch.cat([fresh, reservoir.draw(1)])
        reservoir.offer(fresh)
        mask = data.mask()
        net(torch.fft.fft2(target) * mask, mask)
        loss = net.deep_supervision(target)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        alive.add(loss)
        if step % 60 == 59:
            print(f"{step + 1}: l1 {loss.item():.4f}  threshold {F.softplus(net.denoiser.threshold.detach()).item():.4f}  losses alive {len(alive)}")


if __name__ == "__main__":
    main()
