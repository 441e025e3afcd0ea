# gradwatch-corpus: kind=none
"""Logistic-type net trained with occasional top-Hessian-eigenvalue tracking (power iteration)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def normalise(vs):
    n = torch.sqrt(sum((v * v).sum() for v in vs))
    return [v / (n + 1e-12) for v in vs]


class PowerIteration:
    def __init__(self, params, iters=5):
        self.params = list(params)
        self.iters = iters
        self.v = normalise([torch.randn_like(p) for p in self.params])
        self.history = []

    def __call__(self, loss):
        grads = torch.autograd.grad(loss, self.params, create_graph=True)
        v = self.v
        for _ in range(self.iters):
            hv = torch.autograd.grad(grads, self.params, grad_outputs=v, retain_graph=True)
            eig = sum((a * b).sum() for a, b in zip(hv, v))
            v = normalise(hv)
        self.v = v
        self.history.append(eig.item())
        return self.history[-1]


def moons(n):
    y = torch.randint(0, 2, (n,))
    a = 3.1416 * torch.rand(n)
    x = torch.stack([a.cos() + y, (1 - 2 * y) * a.sin() + 0.4 * y], 1)
    return x + 0.12 * torch.randn(n, 2), y


def main():
    torch.manual_seed(13)
    x, y = moons(500)
    net = nn.Sequential(nn.Linear(2, 24), nn.Softplus(), nn.Linear(24, 24), nn.Softplus(), nn.Linear(24, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    power = PowerIteration(net.parameters())
    for step in range(150):
        pick = torch.randint(0, len(x), (100,))
        loss = F.cross_entropy(net(x[pick]), y[pick])
        if step % 10 == 0:
            top = power(loss)
            for g in opt.param_groups:
                g["lr"] = min(0.3, 1.0 / max(top, 1e-3))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 30 == 0:
            print(f"step {step}: loss {loss.item():.4f} lambda_max {power.history[-1]:.2f}")
    print("sharpness", [round(e, 2) for e in power.history])


if __name__ == "__main__":
    main()
