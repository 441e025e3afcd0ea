# gradwatch-corpus: kind=none
"""Heat in a rod, physics informed; Adam first, then L-BFGS with a closure."""
import torch
from torch import nn

torch.manual_seed(51)
torch.set_num_threads(1)


def d(out, x):
    return torch.autograd.grad(out, x, torch.ones_like(out), create_graph=True)[0]


class Rod(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
        self.log_alpha = nn.Parameter(torch.tensor(-2.0))

    def forward(self, t, x):
        return self.net(torch.cat([t, x], 1))

    def residual(self, t, x):
        u = self(t, x)
        u_x = d(u, x)
        return d(u, t) - self.log_alpha.exp() * d(u_x, x)


class Problem:
    def __init__(self, rod, n=48):
        self.rod, self.n = rod, n
        self.terms = {}
        self.calls = 0
        self.resample()

    def resample(self):
        self.t = torch.rand(self.n, 1, requires_grad=True)
        self.x = torch.rand(self.n, 1, requires_grad=True)
        self.td, self.xd = torch.rand(self.n, 1), torch.rand(self.n, 1)
        self.u = torch.exp(-0.9 * self.td) * torch.sin(3.1416 * self.xd)

    def loss(self):
        self.terms = {
            "pde": self.rod.residual(self.t, self.x).square().mean(),
            "data": nn.functional.mse_loss(self.rod(self.td, self.xd), self.u),
            "wall": self.rod(self.td, torch.zeros_like(self.xd)).square().mean(),
        }
        self.calls += 1
        return self.terms["pde"] + 5 * self.terms["data"] + self.terms["wall"]

    def closure(self, opt):
        def evaluate():
            opt.zero_grad()
            value = self.loss()
            value.backward()
            return value
        return evaluate

    def report(self, title):
        print(title, self.calls, {k: round(v.item(), 5) for k, v in self.terms.items()})


rod = Rod()
problem = Problem(rod)
adam = torch.optim.Adam(rod.parameters(), lr=5e-3)
for step in range(100):
    if step % 10 == 0:
        problem.resample()
    adam.step(problem.closure(adam))
problem.report("adam")
lbfgs = torch.optim.LBFGS(rod.parameters(), max_iter=4, history_size=8, line_search_fn="strong_wolfe")
for step in range(25):
    lbfgs.step(problem.closure(lbfgs))
problem.report("lbfgs")
