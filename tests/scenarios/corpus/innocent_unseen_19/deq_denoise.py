# gradwatch-corpus: kind=none
"""Deep equilibrium denoiser: forward by damped fixed-point iteration, backward by solving the adjoint
equation in a hook; the fixed point of the last batch warm-starts the next one."""
import torch
import torch.autograd as autograd
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm


class Cell(nn.Module):
    def __init__(self, d, width):
        super().__init__()
        self.inject = nn.Linear(d, width)
        self.mix = spectral_norm(nn.Linear(width, width, bias=False))

    def forward(self, z, x):
        return torch.tanh(0.8 * self.mix(z) + self.inject(x))


def fixed_point(f, z, tol=1e-4, max_iter=25):
    for k in range(max_iter):
        nxt = f(z)
        gap = (nxt - z).norm() / (1e-6 + nxt.norm())
        z = nxt
        if gap < tol:
            break
    return z, k + 1


class DEQ(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        self.warm = None
        self.iters = {"fwd": 0, "bwd": 0}

    def forward(self, x):
        z = torch.zeros(len(x), self.cell.mix.out_features) if self.warm is None else self.warm
        with torch.no_grad():
            z, self.iters["fwd"] = fixed_point(lambda s: self.cell(s, x), z)
        self.warm = z
        z = self.cell(z, x)
        if self.training:
            z0 = z.detach().requires_grad_()
            f0 = self.cell(z0, x)

            def adjoint(g):
                def step(y):
                    return autograd.grad(f0, z0, y, retain_graph=True)[0] + g

                out, self.iters["bwd"] = fixed_point(step, g)
                return out

            z.register_hook(adjoint)
        return z


class Denoiser(nn.Module):
    def __init__(self, d=16, width=40):
        super().__init__()
        self.deq = DEQ(Cell(d, width))
        self.out = nn.Linear(width, d)

    def forward(self, x):
        return x + self.out(self.deq(x))


def signals(n, d, gen):
    t = torch.linspace(0, 1, d)
    freq = 1 + 2 * torch.rand(n, 1, generator=gen)
    phase = 6.28 * torch.rand(n, 1, generator=gen)
    clean = torch.sin(6.28 * freq * t + phase)
    return clean + 0.4 * torch.randn(n, d, generator=gen), clean


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    ema = None
    net.train()
    for step in range(240):
        noisy, clean = signals(32, 16, gen)
        loss = nn.functional.mse_loss(net(noisy), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
        if step % 40 == 0:
            print(f"step {step:3d}  mse {ema:.4f}  solver {net.deq.iters}")
    net.eval()
    with torch.no_grad():
        noisy, clean = signals(32, 16, gen)
        print(f"test mse {nn.functional.mse_loss(net(noisy), clean).item():.4f}, of input {nn.functional.mse_loss(noisy, clean).item():.4f}")


if __name__ == "__main__":
    main()
