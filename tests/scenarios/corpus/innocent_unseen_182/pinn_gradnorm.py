# gradwatch-corpus: kind=none
"""PINN for a damped oscillator; loss weights follow the ratio of gradient norms."""
import torch
import torch.nn as nn

torch.manual_seed(44)
DELTA, OMEGA = 1.0, 6.0


def exact(t):
    w = (OMEGA ** 2 - DELTA ** 2) ** 0.5
    phi = torch.atan(torch.tensor(-DELTA / w))
    amp = 1 / (2 * torch.cos(phi))
    return torch.exp(-DELTA * t) * 2 * amp * torch.cos(phi + w * t)


class PINN(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, t):
        return self.net(t)


def residual(model, t):
    t = t.requires_grad_()
    u = model(t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    d2u, = torch.autograd.grad(du.sum(), t, create_graph=True)
    return d2u + 2 * DELTA * du + OMEGA ** 2 * u


def initial(model):
    t0 = torch.zeros(1, 1, requires_grad=True)
    u0 = model(t0)
    du0, = torch.autograd.grad(u0.sum(), t0, create_graph=True)
    return (u0 - 1).pow(2).sum() + 0.1 * du0.pow(2).sum()


class Balancer:
    def __init__(self, names, alpha=0.9):
        self.weight = {n: torch.ones(()) for n in names}
        self.alpha = alpha
        self.seen = []

    def update(self, terms, anchor, params):
        norms = {}
        for name, value in terms.items():
            g = torch.autograd.grad(value, params, retain_graph=True, allow_unused=True)
            norms[name] = torch.stack([x.abs().mean() for x in g if x is not None]).max()
        for name in terms:
            ratio = norms[anchor] / (norms[name] + 1e-8)
            self.weight[name] = self.alpha * self.weight[name] + (1 - self.alpha) * ratio
        self.seen.append({n: float(w) for n, w in self.weight.items()})

    def combine(self, terms):
        return sum(self.weight[n].clamp(max=100.0) * v for n, v in terms.items())


model = PINN()
params = list(model.parameters())
opt = torch.optim.Adam(params, lr=3e-3)
bal = Balancer(["ode", "ic", "data"])
t_obs = torch.linspace(0, 0.4, 8).view(-1, 1)
u_obs = exact(t_obs)

for it in range(420):
    terms = {
        "ode": 1e-3 * residual(model, torch.rand(32, 1)).pow(2).mean(),
        "ic": initial(model),
        "data": (model(t_obs) - u_obs).pow(2).mean(),
    }
    if it % 5 == 0:
        bal.update(terms, "ode", params)
    loss = bal.combine(terms)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 70 == 0:
        text = " ".join(f"{k} {v.item():.2e} (x{bal.weight[k].item():.2f})" for k, v in terms.items())
        print(it, text)
