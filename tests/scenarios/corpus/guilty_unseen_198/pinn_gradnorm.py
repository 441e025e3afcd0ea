# gradwatch-corpus: kind=second-backward
# first-bad: 40
# PINN for u'' + u = f on [0, pi]; loss terms are rebalanced by their gradient norms now and then
import math
import torch
import torch.nn as nn

torch.manual_seed(6)
NUM_ITERS = 400
REBALANCE_EVERY = 40
ALPHA = 0.9

net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
weights = {"pde": 1.0, "bc": 1.0, "data": 1.0}
x_obs = torch.rand(8, 1) * math.pi
u_obs = torch.sin(2 * x_obs) + 0.01 * torch.randn(8, 1)


def residual(n=32):
    x = (torch.rand(n, 1) * math.pi).requires_grad_()
    u = net(x)
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    d2u = torch.autograd.grad(du.sum(), x, create_graph=True)[0]
    f = -3 * torch.sin(2 * x)
    return d2u + u - f


def loss_terms():
    bc = net(torch.tensor([[0.0], [math.pi]]))
    return {
        "pde": residual().pow(2).mean(),
        "bc": bc.pow(2).mean(),
        "data": (net(x_obs) - u_obs).pow(2).mean(),
    }


def grad_norm(term, params):
    gs = torch.autograd.grad(term, params, retain_graph=True, allow_unused=True)
    return math.sqrt(sum(float(g.pow(2).sum()) for g in gs if g is not None))


def rebalance(terms):
    params = [p for p in net.parameters() if p.dim() > 1]
    norms = {k: grad_norm(t, params) for k, t in terms.items()}
    ref = max(norms.values())
    for k in weights:
        weights[k] = ALPHA * weights[k] + (1 - ALPHA) * ref / (norms[k] + 1e-8)
    return norms


def train():
    hist = []
    for it in range(NUM_ITERS):
        terms = loss_terms()
        total = sum(weights[k] * t for k, t in terms.items())
        opt.zero_grad()
        total.backward()  # <- culprit
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        if it > 0 and it % REBALANCE_EVERY == 0:
            norms = rebalance(terms)  # <- culprit
            print("   norms", {k: round(v, 4) for k, v in norms.items()})
        opt.step()
        hist.append(total.item())
        if it % 20 == 0:
            print(f"{it} {hist[-1]:.4f}")
    return hist


def evaluate():
    x = torch.linspace(0, math.pi, 100)[:, None]
    with torch.no_grad():
        return (net(x) - torch.sin(2 * x)).abs().max().item()


if __name__ == "__main__":
    train()
    print("max error", evaluate())
