# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)


class Ansatz(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x, t):
        return torch.sin(3.1416 * x) * -1 + t * (1 - x * x) * self.f(torch.cat([x, t], 1))


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class Problem:
    def __init__(self, nu=0.1):
        self.nu, self.u = nu, Ansatz()
        self.seen = []
        self.cloud()

    def cloud(self):
        self.x = (torch.rand(50, 1) * 2 - 1).requires_grad_()
        self.t = torch.rand(50, 1).requires_grad_()

    def loss(self):
        u = self.u(self.x, self.t)
        ux = d(u, self.x)
        return (d(u, self.t) + u * ux - self.nu * d(ux, self.x)).square().mean()

    def solve(self, rounds=90, inner=3):
        opt = torch.optim.LBFGS(self.u.parameters(), lr=0.5, max_iter=inner, history_size=8)

        def closure():
            opt.zero_grad()
            val = self.loss()
            val.backward()
            self.seen.append(float(val.detach()))
            return val

        for r in range(rounds * 5):
            if r % 50 == 0:
                self.cloud()
            last = opt.step(closure)
            if r % 90 == 0:
                print(r, last.item(), len(self.seen))


torch.manual_seed(20)
Problem().solve()
