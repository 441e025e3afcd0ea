# gradwatch-corpus: kind=none
# Hamiltonian Monte Carlo for the profile of a disc galaxy; mass matrix adapted on the way.
import math
from collections import deque
from functools import reduce
import torch

torch.set_num_threads(1)
torch.manual_seed(50)
torch.set_default_dtype(torch.float64)

radius = torch.linspace(0.3, 6, 20)
truth = torch.tensor([1.2, 0.5, -1.0])   # log I0, log h, log background


def profile(q):
    i0, h, sky = q.exp()
    return i0 * torch.exp(-radius / h) + sky


counts = torch.poisson(40 * profile(truth)) / 40


def potential(q):
    model = profile(q)
    return 40 * (model - counts * model.log()).sum() + 0.5 * (q ** 2).sum()


def slope(q):
    q = q.detach().requires_grad_()
    u = potential(q)
    u.backward()
    return q.grad, u


def leapfrog(state, _, eps, inv_mass):
    q, p, g, _u = state
    p = p - 0.5 * eps * g
    q = q + eps * inv_mass * p
    g, u = slope(q)
    return q, p - 0.5 * eps * g, g, u


class Chain:
    def __init__(self, q, eps=0.05, hops=4):
        self.q, self.eps, self.hops = q, eps, hops
        self.inv_mass = torch.ones_like(q)
        self.kept, self.accepted = deque(maxlen=200), 0

    def move(self):
        g, u0 = slope(self.q)
        p0 = torch.randn_like(self.q) / self.inv_mass.sqrt()
        q, p, g, u1 = reduce(lambda s, i: leapfrog(s, i, self.eps, self.inv_mass), range(self.hops), (self.q, p0, g, u0))
        kinetic = lambda m: 0.5 * (self.inv_mass * m ** 2).sum()
        log_ratio = (u0 + kinetic(p0) - u1 - kinetic(p)).item()
        if math.log(torch.rand(()).item() + 1e-300) < log_ratio:
            self.q, self.accepted = q.detach(), self.accepted + 1
        self.kept.append(self.q)
        return log_ratio

    def adapt(self, target=0.8):
        rate = self.accepted / 50
        self.accepted = 0
        self.eps *= math.exp(0.5 * (rate - target))
        if len(self.kept) > 100:
            self.inv_mass = torch.stack(list(self.kept)).var(0).clamp(1e-3, 1.0)
        return rate


chain = Chain(torch.zeros(3))
for sweep in range(450):
    chain.move()
    if sweep % 50 == 49:
        rate = chain.adapt()
        mean = torch.stack(list(chain.kept)).mean(0).tolist()
        print(sweep + 1, f"acceptance {rate:.2f} eps {chain.eps:.3f}", [round(m, 3) for m in mean])
