# gradwatch-corpus: kind=none
# Physics-informed net for a damped oscillator  u'' + 2 d u' + w^2 u = 0,  u(0) = 1, u'(0) = 0.
import torch

torch.manual_seed(3)
torch.set_default_dtype(torch.float64)
d, w = 0.3, 3.0


class PINN(torch.nn.Module):
    def __init__(self, width=18):
        super().__init__()
        self.l1 = torch.nn.Linear(1, width)
        self.l2 = torch.nn.Linear(width, width)
        self.l3 = torch.nn.Linear(width, 1)

    def forward(self, t):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(t)))))


def ddt(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def residuals(net, t):
    u = net(t)
    du = ddt(u, t)
    ddu = ddt(du, t)
    return ddu + 2 * d * du + w ** 2 * u, u, du


def exact(t):
    wd = (w ** 2 - d ** 2) ** 0.5
    return torch.exp(-d * t) * (torch.cos(wd * t) + d / wd * torch.sin(wd * t))


class Solver:
    def __init__(self, net, horizon):
        self.net = net
        self.horizon = horizon
        self.parts = {}
        self.evals = 0
        self.resample(0.5)

    def resample(self, reach):
        t = torch.rand(40, 1) * reach * self.horizon
        t[0] = 0.0
        self.t = t.requires_grad_(True)
        # curvature pairs of the old points are worthless for the new ones
        self.opt = torch.optim.LBFGS(self.net.parameters(), lr=1.0, max_iter=4, history_size=20,
                                     line_search_fn="strong_wolfe")

    def closure(self):
        self.opt.zero_grad()
        res, u, du = residuals(self.net, self.t)
        self.parts["ode"] = res.pow(2).mean()
        self.parts["start"] = (u[0] - 1).pow(2).sum() + du[0].pow(2).sum()
        loss = 0.05 * self.parts["ode"] + self.parts["start"]
        loss.backward()
        self.evals += 1
        return loss

    def error(self):
        with torch.no_grad():
            t = torch.linspace(0, self.horizon, 100)[:, None]
            return (self.net(t) - exact(t)).abs().max().item()


solver = Solver(PINN(), horizon=2.5)
for it in range(200):
    solver.opt.step(solver.closure)
    if it % 40 == 39:
        parts = {k: f"{v.item():.2e}" for k, v in solver.parts.items()}
        print(f"it {it + 1} evals {solver.evals} {parts} max error {solver.error():.3f}")
        solver.resample(min(1.0, 0.5 + it / 160))
