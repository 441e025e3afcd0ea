# gradwatch-corpus: kind=none
"""Deep equilibrium model for junction flows. The backward hook solves the adjoint fixed point, then takes itself off."""
import torch
from torch import autograd, nn

torch.set_num_threads(1)
torch.manual_seed(190)


class Junctions(nn.Module):
    def __init__(self, state=10, inflow=4):
        super().__init__()
        self.w = nn.Linear(state, state)
        self.u = nn.Linear(inflow, state)
        with torch.no_grad():
            self.w.weight.mul_(0.4)

    def forward(self, z, x):
        return torch.tanh(self.w(z) + self.u(x))


class Equilibrium(nn.Module):
    def __init__(self, f, state, tol=1e-4, rounds=30):
        super().__init__()
        self.f, self.state, self.tol, self.rounds = f, state, tol, rounds
        self.hook = None

    def solve(self, g, z):
        for _ in range(self.rounds):
            nxt = g(z)
            if (nxt - z).norm() < self.tol:
                return nxt
            z = nxt
        return z

    def forward(self, x):
        with torch.no_grad():
            z = self.solve(lambda z: self.f(z, x), torch.zeros(len(x), self.state))
        z = self.f(z, x)
        if not torch.is_grad_enabled():
            return z
        z0 = z.detach().requires_grad_()
        f0 = self.f(z0, x)

        def adjoint(grad):
            self.hook.remove()
            return self.solve(lambda y: autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)

        self.hook = z.register_hook(adjoint)
        return z


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.eq = Equilibrium(Junctions(), 10)
        self.out = nn.Linear(10, 2)

    def forward(self, x):
        return self.out(self.eq(x))


def flows(n):
    x = torch.randn(n, 4)
    return x, torch.stack([torch.tanh(x.sum(1)), x[:, 0] * 0.5 - x[:, 1].abs()], 1)


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for i in range(600):
    x, y = flows(16)
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 150 == 149:
        print(i + 1, f"{loss.item():.4f}")
