# gradwatch-corpus: kind=none
"""Meta-learnt dose-response curves: MAML inner steps, then L-BFGS on each new patient."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class Patients:
    """Emax curves, every patient with an own potency and ceiling."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def draw(self, n, points=10):
        top = 0.5 + torch.rand(n, 1, 1, generator=self.g)
        ec50 = 0.1 + 0.6 * torch.rand(n, 1, 1, generator=self.g)
        dose = torch.rand(n, points, 1, generator=self.g)
        resp = top * dose ** 2 / (dose ** 2 + ec50 ** 2)
        resp += 0.01 * torch.randn(resp.shape, generator=self.g)
        return dose, resp


class Curve(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.w = nn.ParameterDict({
            "w1": nn.Parameter(torch.randn(h, 1)), "b1": nn.Parameter(torch.zeros(h)),
            "w2": nn.Parameter(torch.randn(1, h) / h ** 0.5), "b2": nn.Parameter(torch.zeros(1)),
        })
        self.log_rate = nn.Parameter(torch.tensor(-2.0))

    def run(self, w, x):
        h = F.linear(x, w["w1"], w["b1"])
        h = torch.tanh(h)
        return F.linear(h, w["w2"], w["b2"])


def adapt(net, x, y, steps):
    fast = dict(net.w.items())
    for _ in range(steps):
        loss = F.mse_loss(net.run(fast, x), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: v - net.log_rate.exp() * g for (k, v), g in zip(fast.items(), grads)}
    return fast


def meta_step(net, opt, pool, tasks=4):
    dose, resp = pool.draw(tasks)
    opt.zero_grad()
    total = 0.0
    for x, y in zip(dose, resp):
        fast = adapt(net, x[:5], y[:5], steps=2)
        loss = F.mse_loss(net.run(fast, x[5:]), y[5:]) / tasks
        loss.backward()
        total += loss.item()
    opt.step()
    with torch.no_grad():
        net.log_rate.clamp_(-5.0, 0.0)
    return total


def personalise(net, x, y, rounds=2):
    own = {k: v.detach().clone().requires_grad_(True) for k, v in net.w.items()}
    prior = {k: v.detach() for k, v in net.w.items()}
    opt = torch.optim.LBFGS(list(own.values()), lr=0.5, max_iter=5)

    def closure():
        opt.zero_grad()
        fit = F.mse_loss(net.run(own, x), y)
        pull = sum((own[k] - prior[k]).pow(2).sum() for k in own)
        loss = fit + 1e-4 * pull
        loss.backward()
        return loss

    for _ in range(rounds):
        opt.step(closure)
    with torch.no_grad():
        return F.mse_loss(net.run(own, x), y).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    net, pool = Curve(), Patients(2)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    recent = deque(maxlen=30)
    curve = []
    for it in range(360):
        recent.append(meta_step(net, opt, pool))
        curve.append(sum(recent) / len(recent))
        if it % 60 == 0:
            x, y = pool.draw(1)
            print(f"{it:4d} query {curve[-1]:.5f} rate {net.log_rate.exp().item():.3f} own fit {personalise(net, x[0], y[0]):.5f}")


if __name__ == "__main__":
    main()
