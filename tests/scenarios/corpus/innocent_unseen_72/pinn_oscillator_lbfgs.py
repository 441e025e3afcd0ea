# gradwatch-corpus: kind=none
"""Inverse problem: damped oscillator x'' + c x' + k x = 0, unknown c and k, Adam and then L-BFGS."""
import copy
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


def true_solution(t, c=0.4, k=4.0):
    w = math.sqrt(k - c * c / 4)
    return torch.exp(-c / 2 * t) * torch.cos(w * t)


def grad(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class OscillatorPINN(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_c = nn.Parameter(torch.tensor(-1.5))
        self.log_k = nn.Parameter(torch.tensor(1.0))

    def forward(self, t):
        return self.net(t / 2 - 1)

    def residual(self, t):
        x = self(t)
        v = grad(x, t)
        a = grad(v, t)
        return a + self.log_c.exp() * v + self.log_k.exp() * x


class Collocation:
    """Points move to where the residual was large; a few stay uniform."""

    def __init__(self, n, t_max):
        self.n, self.t_max = n, t_max
        self.t = (torch.rand(n, 1) * t_max).requires_grad_()

    def refine(self, model):
        cand = (torch.rand(4 * self.n, 1) * self.t_max).requires_grad_()
        score = model.residual(cand).detach().abs().flatten()
        idx = torch.multinomial(score + 0.1 * score.mean(), self.n // 2)
        fresh = torch.rand(self.n - len(idx), 1) * self.t_max
        self.t = torch.cat([cand.detach()[idx], fresh]).requires_grad_()


class LossBalancer:
    """Gradient-norm ratio weights (Wang et al.), moving average."""

    def __init__(self, alpha=0.9):
        self.alpha, self.weight = alpha, torch.ones(())

    def update(self, pde, data, params):
        gp = torch.autograd.grad(pde, params, retain_graph=True)
        gd = torch.autograd.grad(data, params, retain_graph=True)
        top = max(g.abs().max() for g in gp)
        mean = torch.cat([g.flatten() for g in gd]).abs().mean()
        self.weight = self.alpha * self.weight + (1 - self.alpha) * (top / mean.clamp_min(1e-8))


class Solver:
    def __init__(self, seed=11):
        torch.manual_seed(seed)
        self.model = OscillatorPINN()
        self.col = Collocation(64, 4.0)
        self.t_obs = torch.rand(30, 1) * 4.0
        self.x_obs = true_solution(self.t_obs) + 0.01 * torch.randn(30, 1)
        self.balancer = LossBalancer()
        self.history = {"loss": [], "c": [], "k": []}
        self.last_terms = None
        self.best = (float("inf"), None)

    def terms(self):
        pde = self.model.residual(self.col.t).pow(2).mean()
        data = (self.model(self.t_obs) - self.x_obs).pow(2).mean()
        self.last_terms = (pde, data)
        return pde, data

    def record(self, loss):
        self.history["loss"].append(loss)
        self.history["c"].append(self.model.log_c.exp().item())
        self.history["k"].append(self.model.log_k.exp().item())
        if loss < self.best[0]:
            self.best = (loss, copy.deepcopy(self.model.state_dict()))

    def report(self, phase, i):
        pde, data = (v.item() for v in self.last_terms)
        print(f"{phase} {i:3d} pde {pde:.4e} data {data:.4e} w {self.balancer.weight.item():.2f} "
              f"c {self.history['c'][-1]:.3f} k {self.history['k'][-1]:.3f}")

    def adam(self, steps):
        opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        shared = [self.model.net[2].weight, self.model.net[4].weight]
        for i in range(steps):
            if i % 40 == 0:
                self.col.refine(self.model)
            pde, data = self.terms()
            if i % 10 == 0:
                self.balancer.update(pde, data, shared)
            loss = pde + self.balancer.weight * data
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.record(loss.item())
            if i % 40 == 0:
                self.report("adam ", i)

    def lbfgs(self, steps):
        opt = torch.optim.LBFGS(self.model.parameters(), lr=0.5, max_iter=4, history_size=20, line_search_fn="strong_wolfe")

        def closure():
            opt.zero_grad()
            pde, data = self.terms()
            loss = pde + self.balancer.weight * data
            loss.backward()
            return loss

        for i in range(steps):
            loss = opt.step(closure)
            self.record(float(loss.detach()))
            if i % 20 == 0:
                self.report("lbfgs", i)


if __name__ == "__main__":
    s = Solver()
    s.adam(160)
    s.lbfgs(60)
    s.model.load_state_dict(s.best[1])
    print("best", s.best[0], "c", s.model.log_c.exp().item(), "k", s.model.log_k.exp().item())
