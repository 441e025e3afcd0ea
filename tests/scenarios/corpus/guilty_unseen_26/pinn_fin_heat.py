# gradwatch-corpus: kind=graph-chain
# holder: self.reference | balance.reference | balance.reference["pde"] | balance.reference["bc"]
# first-bad: 1
# also: retain-needless
# after: BatsResearch/labelmodels issue 4 "Memory leak in training loop" (running sum of non-detached losses), moved into a loss balancer of a PINN
# %% [markdown]
# # Heat in a cooling fin
# $u_t = \alpha u_{xx} - h u$, $u(0,t)=1$, $u_x(1,t)=0$, $u(x,0)=0$.
# Losses of very different size, so each is divided by its own running mean.
# %%
import torch
from torch import nn

torch.manual_seed(42)
ALPHA, H = 0.3, 0.8
N_INT, N_B = 64, 24
ITERS = 64


# %% old RAdam from the lab's toolbox
class LabAdam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def step(self, closure=None):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                s = self.state[p]
                if not s:
                    s["t"], s["m"], s["v"] = 0, torch.zeros_like(p.data), torch.zeros_like(p.data)
                s["t"] += 1
                s["m"].mul_(b1).add_(p.grad.data, alpha=1 - b1)
                s["v"].mul_(b2).addcmul_(p.grad.data, p.grad.data, value=1 - b2)
                mhat = s["m"] / (1 - b1 ** s["t"])
                vhat = s["v"] / (1 - b2 ** s["t"])
                p.data.addcdiv_(mhat, vhat.sqrt().add_(g["eps"]), value=-g["lr"])


# %%
class Fourier(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("B", torch.randn(2, n))

    def forward(self, xt):
        z = xt @ self.B
        return torch.cat([z.sin(), z.cos()], -1)


def make_net(width=24):
    return nn.Sequential(Fourier(8), nn.Linear(16, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                         nn.Linear(width, 1))


def grad(u, x):
    return torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]


def residual(net, n):
    x = torch.rand(n, 1, requires_grad=True)
    t = torch.rand(n, 1, requires_grad=True)
    u = net(torch.cat([x, t], 1))
    return grad(u, t) - ALPHA * grad(grad(u, x), x) + H * u


def boundary(net, n):
    t = torch.rand(n, 1)
    left = net(torch.cat([torch.zeros_like(t), t], 1)) - 1
    x = torch.ones(n, 1, requires_grad=True)
    right = grad(net(torch.cat([x, t], 1)), x)
    return left.pow(2).mean() + right.pow(2).mean()


def initial(net, n):
    x = torch.rand(n, 1)
    return net(torch.cat([x, torch.zeros_like(x)], 1)).pow(2).mean()


# %%
class Balancer:
    def __init__(self, rho=0.9):
        self.rho = rho
        self.reference = {}

    def __call__(self, **terms):
        total = 0.0
        for name, value in terms.items():
            if name not in self.reference:
                self.reference[name] = value.detach()
            self.reference[name] = self.rho * self.reference[name] + (1 - self.rho) * value  # <- culprit
            total = total + value / (self.reference[name] + 1e-8)
        return total


# %%
net = make_net()
opt = LabAdam(net.parameters(), lr=2e-3)
balance = Balancer()
log = []
for it in range(ITERS):
    opt.zero_grad()
    parts = dict(pde=residual(net, N_INT).pow(2).mean(), bc=boundary(net, N_B), ic=initial(net, N_B))
    loss = balance(**parts)
    loss.backward(retain_graph=True)   # "specify retain_graph=True" - ok
    opt.step()
    log.append({k: float(v.detach()) for k, v in parts.items()})
    if it % 16 == 0:
        print(it, {k: round(v, 5) for k, v in log[-1].items()})

# %%
with torch.no_grad():
    xs = torch.linspace(0, 1, 5)[:, None]
    print("u(x, 1):", net(torch.cat([xs, torch.ones_like(xs)], 1)).squeeze().tolist())
