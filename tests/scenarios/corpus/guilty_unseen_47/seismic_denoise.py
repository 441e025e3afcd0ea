# gradwatch-corpus: kind=inplace-modified
# first-bad: 45
"""Unrolled sparse coding (LISTA) that cleans seismic traces; depth grows during training."""
import torch
from torch import nn
from torch.autograd import Function

SAMPLES, ATOMS, BATCH = 48, 72, 40
SCHEDULE = [(45, 1), (45, 2), (60, 4)]


class Shrink(Function):
    """Soft threshold; the margin |x| - theta goes to a scratch buffer to spare allocations."""

    @staticmethod
    def forward(ctx, x, theta, scratch):
        margin = torch.sub(x.abs(), theta, out=scratch)  # <- culprit
        ctx.save_for_backward(x, margin)  # <- culprit
        return x.sign() * margin.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        x, margin = ctx.saved_tensors
        g = g * (margin > 0)
        return g, -(g * x.sign()).sum(0), None


class Lista(nn.Module):
    def __init__(self, wavelets):
        super().__init__()
        step = 1.0 / torch.linalg.matrix_norm(wavelets, 2) ** 2
        self.analyse = nn.Parameter(step * wavelets.t())
        self.mix = nn.Parameter(torch.eye(ATOMS) - step * wavelets.t() @ wavelets)
        self.theta = nn.Parameter(torch.full((ATOMS,), 0.02))
        self.decode = nn.Parameter(wavelets.clone())
        self.register_buffer("scratch", torch.empty(BATCH, ATOMS), persistent=False)

    def forward(self, trace, depth):
        drive = trace @ self.analyse.t()
        code = Shrink.apply(drive, self.theta, self.scratch)  # <- culprit
        for _ in range(depth - 1):
            code = Shrink.apply(drive + code @ self.mix.t(), self.theta, self.scratch)  # <- culprit
        return code @ self.decode.t(), code


def ricker_bank():
    t = torch.arange(SAMPLES, dtype=torch.float32)
    columns = []
    for k in range(ATOMS):
        centre = (k // 3) * SAMPLES / (ATOMS // 3)
        width = (1.5, 2.5, 4.0)[k % 3]
        u = ((t - centre) / width) ** 2
        wave = (1 - u) * torch.exp(-u / 2)
        columns.append(wave / wave.norm())
    return torch.stack(columns, 1)


def traces(bank, gen):
    active = torch.rand(BATCH, ATOMS, generator=gen) < 0.06
    code = torch.randn(BATCH, ATOMS, generator=gen) * active
    clean = code @ bank.t()
    return clean, clean + 0.15 * torch.randn(clean.shape, generator=gen)


def main():
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    bank = ricker_bank()
    net = Lista(bank)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    it = 0
    for steps, depth in SCHEDULE:
        print(f"-- depth {depth}")
        for _ in range(steps):
            clean, noisy = traces(bank, gen)
            guess, code = net(noisy, depth)
            loss = (guess - clean).pow(2).mean() + 1e-3 * code.abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            if it % 15 == 0:
                print(f"{it:4d} mse {loss.item():.5f}  active {(code != 0).float().mean().item():.2f}")
            it += 1


if __name__ == "__main__":
    main()
