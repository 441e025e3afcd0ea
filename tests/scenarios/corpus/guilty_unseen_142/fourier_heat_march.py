# gradwatch-corpus: kind=graph-chain
# holder: self.causal | march.causal
# first-bad: 1
# notice: 5
# Heat equation in a random cosine basis; collocation slabs march forward in time.
import math
import torch
torch.set_num_threads(1)


class Basis:
    def __init__(self, n, gen):
        self.kx = torch.randn(n, generator=gen) * 3
        self.kt = torch.randn(n, generator=gen) * 2
        self.ph = torch.rand(n, generator=gen) * 2 * math.pi

    def arg(self, x, t):
        return x[:, None] * self.kx + t[:, None] * self.kt + self.ph

    def value(self, x, t):
        return torch.cos(self.arg(x, t))

    def heat(self, x, t, nu):
        a = self.arg(x, t)
        return -self.kt * torch.sin(a) + nu * self.kx ** 2 * torch.cos(a)


class March:
    def __init__(self, n=40, nu=0.05, slabs=8, decay=0.9):
        gen = torch.Generator().manual_seed(1)
        self.basis = Basis(n, gen)
        self.coef = torch.nn.Parameter(torch.zeros(n))
        self.opt = torch.optim.Adam([self.coef], lr=5e-3)
        self.nu, self.slabs, self.decay = nu, slabs, decay
        self.causal = torch.zeros(())

    def slab_loss(self, s):
        t = (s + torch.rand(24)) / self.slabs
        x = torch.rand(24) * 2 - 1
        res = self.basis.heat(x, t, self.nu) @ self.coef
        ic = self.basis.value(x, torch.zeros_like(x)) @ self.coef - torch.sin(math.pi * x)
        edge = torch.sign(x)
        bc = self.basis.value(edge, t) @ self.coef
        return res.pow(2).mean() + 10 * ic.pow(2).mean() + bc.pow(2).mean()

    def advance(self, s):
        loss = self.slab_loss(s)
        self.causal = self.decay * self.causal + loss  # <- culprit
        self.opt.zero_grad()
        self.causal.backward(retain_graph=True)
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(1)
    march = March()
    for sweep in range(35):
        vals = [march.advance(s) for s in range(march.slabs)]
        if sweep % 7 == 0:
            print(sweep, [round(v, 3) for v in vals])


main()
