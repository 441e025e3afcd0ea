# gradwatch-corpus: kind=none
import torch
from torch import nn
from contextlib import contextmanager

torch.set_num_threads(1)


@contextmanager
def frozen(module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for p, f in zip(module.parameters(), flags):
            p.requires_grad_(f)


class SampleBuffer:
    def __init__(self, cap, d):
        self.data = torch.rand(cap, d) * 4 - 2

    def draw(self, n, reinit=0.05):
        self.idx = torch.randint(0, len(self.data), (n,))
        x = self.data[self.idx].clone()
        fresh = torch.rand(n) < reinit
        x[fresh] = torch.rand(int(fresh.sum()), x.shape[1]) * 4 - 2
        return x

    def put_back(self, x):
        self.data[self.idx] = x


def langevin(E, x, n=8, step=0.1):
    with frozen(E):
        for _ in range(n):
            x = x.detach().requires_grad_()
            g, = torch.autograd.grad(E(x).sum(), x)
            x = x - 0.5 * step ** 2 * g + step * torch.randn_like(x) * 0.3
    return x.detach()


def ring(n):
    th = torch.rand(n) * 6.2832
    return torch.stack([th.cos(), th.sin()], 1) + 0.05 * torch.randn(n, 2)


def main():
    torch.manual_seed(66)
    E = nn.Sequential(nn.Linear(2, 20), nn.SiLU(), nn.Linear(20, 1))
    opt = torch.optim.Adam(E.parameters(), 1e-3)
    buf = SampleBuffer(256, 2)
    for it in range(450):
        neg = langevin(E, buf.draw(16))
        buf.put_back(neg)
        ep, en = E(ring(16)), E(neg)
        loss = (ep - en).mean() + 0.05 * (ep ** 2 + en ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 150 == 0:
            print(it, f"{loss.item():.3f}")


main()
