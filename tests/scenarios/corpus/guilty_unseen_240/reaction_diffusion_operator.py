# gradwatch-corpus: kind=graph-held
# holder: op.spectra | self.spectra | self.spectra[i] | op.spectra[i]
# first-bad: 1
"""1D Fourier neural operator on a diffusion-reaction problem.

Layer spectra are collected to look at which modes the operator uses.
"""
import torch
from torch import nn


class SpectralConv(nn.Module):
    def __init__(self, width, modes):
        super().__init__()
        self.modes = modes
        scale = 1.0 / width
        self.weight = nn.Parameter(scale * torch.randn(width, width, modes, dtype=torch.cfloat))

    def forward(self, u):
        uh = torch.fft.rfft(u)
        out = torch.zeros(u.shape[0], self.weight.shape[1], uh.shape[-1], dtype=torch.cfloat)
        out[..., : self.modes] = torch.einsum("bik,iok->bok", uh[..., : self.modes], self.weight)
        return torch.fft.irfft(out, n=u.shape[-1])


class Operator(nn.Module):
    def __init__(self, width=16, modes=8, depth=3):
        super().__init__()
        self.lift = nn.Conv1d(2, width, 1)
        self.spec = nn.ModuleList(SpectralConv(width, modes) for _ in range(depth))
        self.skip = nn.ModuleList(nn.Conv1d(width, width, 1) for _ in range(depth))
        self.proj = nn.Sequential(nn.Conv1d(width, 32, 1), nn.GELU(), nn.Conv1d(32, 1, 1))
        self.spectra = {i: [] for i in range(depth)}

    def forward(self, a):
        x = torch.linspace(0.0, 1.0, a.shape[-1]).expand(a.shape[0], 1, -1)
        u = self.lift(torch.cat([a[:, None], x], dim=1))
        for i, (spec, skip) in enumerate(zip(self.spec, self.skip)):
            u = spec(u) + skip(u)
            if self.training:
                power = torch.fft.rfft(u).abs().mean(dim=(0, 1))  # <- culprit
                self.spectra[i].append(power)  # <- culprit
            u = torch.nn.functional.gelu(u)
        return self.proj(u).squeeze(1)


def grf(n, grid, gen, decay=2.0):
    k = torch.arange(grid // 2 + 1, dtype=torch.float32)
    amp = (1.0 + k) ** (-decay)
    amp[0] = 0.0
    coef = torch.complex(
        torch.randn(n, grid // 2 + 1, generator=gen), torch.randn(n, grid // 2 + 1, generator=gen)
    )
    return torch.fft.irfft(coef * amp * grid, n=grid)


def solve(a, t=0.05, n=20):
    k = 2.0 * torch.pi * torch.arange(a.shape[-1] // 2 + 1)
    dt = t / n
    half = torch.exp(-0.02 * k ** 2 * dt)
    for _ in range(n):
        a = torch.fft.irfft(half * torch.fft.rfft(a), n=a.shape[-1])
        a = a + dt * 10.0 * a * (1.0 - a ** 2)
    return a


def rel_l2(pred, true):
    return ((pred - true).norm(dim=-1) / true.norm(dim=-1)).mean()


def batches(n_batch, size, grid):
    gen = torch.Generator().manual_seed(99)
    for _ in range(n_batch):
        a = grf(size, grid, gen)
        yield a, solve(a)


if __name__ == "__main__":
    torch.manual_seed(99)
    op = Operator()
    opt = torch.optim.AdamW(op.parameters(), lr=3e-3, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=120)
    for it, (a, u) in enumerate(batches(120, 16, 64)):
        opt.zero_grad()
        loss = rel_l2(op(a), u)
        loss.backward()
        opt.step()
        sched.step()
        if it % 20 == 0:
            print(f"iter {it:3d}  rel L2 {loss.item():.4f}")
    with torch.no_grad():
        for i, seq in op.spectra.items():
            mean = torch.stack(seq[-20:]).mean(0)
            frac = (mean[:8].sum() / mean.sum()).item()
            print(f"layer {i}: low-mode share {frac:.3f}")
