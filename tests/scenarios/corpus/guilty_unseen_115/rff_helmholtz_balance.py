# gradwatch-corpus: kind=graph-chain
# holder: balancer.running | self.running | self.running[k] | balancer.running[k]
# first-bad: 1
# notice: 5
"""Random-feature solver for a 1-D Helmholtz problem,  u'' + k^2 u = f  on [0, 1].

Only the read-out of fixed sine features is trained, so the derivatives are closed-form.
The interior and boundary residuals live on scales that differ by 1e3; each is
divided by its running magnitude, as in "relative loss balancing".
"""
import math

import torch
import torch.nn as nn

K_WAVE = 4.0


def exact(x):
    return torch.sin(2 * math.pi * x) + 0.3 * torch.cos(5 * x)


def forcing(x):
    u_xx = -(2 * math.pi) ** 2 * torch.sin(2 * math.pi * x) - 7.5 * torch.cos(5 * x)
    return u_xx + K_WAVE ** 2 * exact(x)


class SineFeatures:
    def __init__(self, n, scale=6.0):
        self.w = scale * torch.randn(1, n)
        self.b = 2 * math.pi * torch.rand(n)
        self.norm = math.sqrt(2.0 / n)

    def value(self, x):
        return self.norm * torch.sin(x @ self.w + self.b)

    def second(self, x):
        return -self.w.pow(2) * self.value(x)


class Readout(nn.Module):
    def __init__(self, n_feat):
        super().__init__()
        self.coef = nn.Linear(n_feat, 1, bias=False)
        nn.init.zeros_(self.coef.weight)

    def forward(self, phi):
        return self.coef(phi)


class RelativeBalancer:
    def __init__(self, keys, beta=0.9, eps=1e-8):
        self.beta, self.eps = beta, eps
        self.running = {k: None for k in keys}

    def __call__(self, terms):
        total = 0.0
        for k, v in terms.items():
            prev = self.running[k]
            self.running[k] = v if prev is None else self.beta * prev + (1 - self.beta) * v  # <- culprit
            total = total + v / (self.running[k] + self.eps)  # <- culprit
        return total


def residuals(net, feats, n_col=48):
    xc = torch.rand(n_col, 1)
    pde = net(feats.second(xc) + K_WAVE ** 2 * feats.value(xc)) - forcing(xc)
    xb = torch.tensor([[0.0], [1.0]])
    bc = net(feats.value(xb)) - exact(xb)
    return {"pde": pde.pow(2).mean(), "bc": bc.pow(2).mean()}


def grad_norms(terms, net):
    out = {}
    for k, v in terms.items():
        g, = torch.autograd.grad(v, net.coef.weight, retain_graph=True)
        out[k] = g.norm().item()
    return out


def main():
    torch.manual_seed(42)
    torch.set_num_threads(1)
    feats = SineFeatures(64)
    net = Readout(64)
    balancer = RelativeBalancer(["pde", "bc"])
    opt = torch.optim.Adam(net.parameters(), lr=2e-2, weight_decay=1e-6)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.995)
    grid = torch.linspace(0, 1, 101)[:, None]

    curve = []
    for it in range(140):
        terms = residuals(net, feats)
        loss = balancer(terms)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # the graph is needed for the per-term norms below
        norms = grad_norms(terms, net) if it % 25 == 0 else None
        opt.step()
        sched.step()
        curve.append({k: v.item() for k, v in terms.items()})
        if norms is not None:
            with torch.no_grad():
                err = (net(feats.value(grid)) - exact(grid)).norm() / exact(grid).norm()
            print(it, " ".join(f"{k}={v:.3e}" for k, v in curve[-1].items()),
                  "|g|", " ".join(f"{v:.2e}" for v in norms.values()), f"rel.err {err.item():.3f}")


if __name__ == "__main__":
    main()
