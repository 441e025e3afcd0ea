# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(123)
torch.set_default_dtype(torch.float64)

D_COEF, W0 = 0.5, 4.0


class FCN(torch.nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.a = torch.nn.Linear(1, hidden)
        self.b = torch.nn.Linear(hidden, hidden)
        self.c = torch.nn.Linear(hidden, 1)

    def forward(self, t):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(t)))))


def exact(t):
    w = (W0 ** 2 - D_COEF ** 2) ** 0.5
    return torch.exp(-D_COEF * t) * torch.cos(w * t)


class Problem:
    def __init__(self, net, points=24):
        self.net = net
        self.t = torch.linspace(0, 1.5, points).view(-1, 1).requires_grad_()
        self.t0 = torch.zeros(1, 1, requires_grad=True)
        self.parts = {}

    def derivative(self, y, x):
        return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]

    def loss(self):
        u = self.net(self.t)
        du = self.derivative(u, self.t)
        ddu = self.derivative(du, self.t)
        u0 = self.net(self.t0)
        self.parts["ode"] = (ddu + 2 * D_COEF * du + W0 ** 2 * u).pow(2).mean() * 1e-3
        self.parts["ic"] = (u0 - 1).pow(2).mean() + 1e-1 * (self.derivative(u0, self.t0) + D_COEF).pow(2).mean()
        return self.parts["ode"] + self.parts["ic"]


problem = Problem(FCN())
lbfgs = torch.optim.LBFGS(problem.net.parameters(), lr=0.3, max_iter=3, history_size=10)


def closure():
    lbfgs.zero_grad()
    loss = problem.loss()
    loss.backward()
    return loss


for epoch in range(450):
    value = lbfgs.step(closure)
    if epoch % 90 == 0:
        with torch.no_grad():
            err = (problem.net(problem.t) - exact(problem.t)).abs().max()
        print(epoch, f"{value.item():.2e}", {k: f"{v.item():.1e}" for k, v in problem.parts.items()}, f"err {err.item():.3f}")
