# gradwatch-corpus: kind=graph-chain
# holder: series | img | x | buf
# first-bad: 1
# notice: 5
"""Cardiac cine reconstruction: every frame starts from the one before."""
from itertools import accumulate, tee

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(13)


class Sampler:
    """Cartesian undersampling of a frame in k-space."""

    def __init__(self, size, keep=0.4):
        self.size, self.keep = size, keep

    def mask(self):
        m = (torch.rand(self.size, 1) < self.keep).float()
        m[:2] = m[-2:] = 1.0
        return m

    @staticmethod
    def forward(img, m):
        return torch.fft.fft2(img, norm="ortho") * m

    @staticmethod
    def adjoint(k, m):
        return torch.fft.ifft2(k * m, norm="ortho").real


class Unrolled(nn.Module):
    def __init__(self, sampler, size, inner=2):
        super().__init__()
        self.sampler, self.inner = sampler, inner
        self.log_step = nn.Parameter(torch.full((inner,), -0.7))
        self.log_thr = nn.Parameter(torch.full((inner,), -4.0))
        self.filt = nn.Parameter(torch.full((size, size), 2.0))

    def _fidelity(self, x, k, m, i):
        r = self.sampler.forward(x, m) - k
        return x - self.log_step[i].exp() * self.sampler.adjoint(r, m)

    def _prior(self, x, i):
        s = torch.fft.fft2(x, norm="ortho") * torch.sigmoid(self.filt)
        y = torch.fft.ifft2(s, norm="ortho").real
        return y.sign() * F.relu(y.abs() - self.log_thr[i].exp())

    def forward(self, x, shot):
        k, m, _ = shot
        for i in range(self.inner):
            x = self._prior(self._fidelity(x, k, m, i), i)  # <- culprit
        return x


def cine(frames, size, sampler):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
    for t in range(frames):
        r = 0.5 + 0.15 * torch.sin(torch.tensor(0.4 * t))
        img = ((yy ** 2 + xx ** 2) < r ** 2).float() - 0.5 * ((yy ** 2 + xx ** 2) < 0.06).float()
        m = sampler.mask()
        yield sampler.forward(img + 0.02 * torch.randn(size, size), m), m, img


class Fit:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def pairs(self, shots, x0):
        left, right = tee(shots)
        series = accumulate(left, self.net, initial=x0)  # <- culprit
        next(series)
        return zip(series, right)

    def run(self, shots, x0):
        for img, (_, _, ref) in self.pairs(shots, x0):
            loss = F.mse_loss(img, ref) + 1e-3 * img.abs().mean()
            self.opt.zero_grad()
            loss.backward(retain_graph=True)  # <- culprit
            self.opt.step()
            yield loss.item()


def main(size=24, frames=60):
    sampler = Sampler(size)
    fit = Fit(Unrolled(sampler, size), lr=5e-3)
    for t, v in enumerate(fit.run(cine(frames, size, sampler), torch.zeros(size, size))):
        if t % 20 == 19:
            print(f"frame {t}: {v:.5f}")


if __name__ == "__main__":
    main()
