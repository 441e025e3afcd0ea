# gradwatch-corpus: kind=second-backward
# holder: hard | self.hard_residual | self.sampler.hard_residual
# first-bad: 121
# notice: 0
"""PINN for u_t = a u_xx on [0,1] x [0,1], u(x,0)=sin(pi x), u(0,t)=u(1,t)=0, with residual-based refinement."""
import math

import torch

from heat import HeatNet, residual
from sampling import AdaptiveSampler

torch.set_num_threads(1)
torch.manual_seed(1234)
A = 0.1


class PINNSolver:
    def __init__(self, iters=400):
        self.iters = iters
        self.net = HeatNet([2, 24, 24, 1])
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.lr = torch.optim.lr_scheduler.StepLR(self.opt, 150, 0.5)
        self.sampler = AdaptiveSampler(n=96, keep=16, start=120, every=40)
        self.x0 = torch.linspace(0, 1, 40).unsqueeze(1)
        self.tb = torch.linspace(0, 1, 20).unsqueeze(1)

    def data_terms(self):
        ic = self.net(torch.cat([self.x0, torch.zeros_like(self.x0)], 1)) - torch.sin(math.pi * self.x0)
        left = self.net(torch.cat([torch.zeros_like(self.tb), self.tb], 1))
        right = self.net(torch.cat([torch.ones_like(self.tb), self.tb], 1))
        return ic.pow(2).mean() + left.pow(2).mean() + right.pow(2).mean()

    def step(self, it):
        xt = self.sampler.draw()
        r = residual(self.net, xt, A)
        loss_pde = r.pow(2).mean()
        hard = self.sampler.hard()  # <- culprit
        if hard is not None:
            loss_pde = loss_pde + 0.5 * hard.pow(2).mean()
        loss = loss_pde + 5.0 * self.data_terms()
        self.opt.zero_grad()
        self.sampler.refine(it, r)  # <- culprit
        loss.backward()
        self.opt.step()
        self.lr.step()
        return loss.item(), loss_pde.item()

    @torch.no_grad()
    def error(self):
        x, t = torch.meshgrid(torch.linspace(0, 1, 21), torch.linspace(0, 1, 21), indexing="ij")
        u = self.net(torch.stack([x.flatten(), t.flatten()], 1)).view_as(x)
        exact = torch.exp(-A * math.pi ** 2 * t) * torch.sin(math.pi * x)
        return ((u - exact).norm() / exact.norm()).item()

    def solve(self):
        for it in range(self.iters):
            loss, pde = self.step(it)
            if it % 40 == 0:
                print(f"it {it:4d} loss {loss:.4e} pde {pde:.3e} rel.err {self.error():.3f}")


if __name__ == "__main__":
    PINNSolver().solve()
