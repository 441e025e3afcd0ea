# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(64)

REGISTRY = {}


def phase(name, every=1):
    def deco(fn):
        REGISTRY[name] = (every, fn)
        return fn
    return deco


class Bench:
    def __init__(self):
        self.gen = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 10))
        self.critic = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Linear(20, 1))
        self.og = torch.optim.RMSprop(self.gen.parameters(), 1e-3)
        self.oc = torch.optim.RMSprop(self.critic.parameters(), 1e-3)
        self.log = {}

    def real(self, n=16):
        return torch.sin(torch.rand(n, 1) * 3 + torch.linspace(0, 4, 10))

    def noise(self, n=16):
        return torch.randn(n, 4)


@phase("critic")
def critic_phase(b):
    real, fake = b.real(), b.gen(b.noise()).detach()
    mid = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_(True)
    (slope,) = torch.autograd.grad(b.critic(mid).sum(), mid, create_graph=True)
    penalty = (slope.norm(dim=1) - 1).square().mean()
    loss = b.critic(fake).mean() - b.critic(real).mean() + 10 * penalty
    b.oc.zero_grad()
    loss.backward()
    b.oc.step()
    b.log["critic"], b.log["gp"] = loss.item(), penalty.item()


@phase("maker", every=3)
def maker_phase(b):
    loss = -b.critic(b.gen(b.noise())).mean()
    b.og.zero_grad()
    loss.backward()
    b.og.step()
    b.log["maker"] = loss.item()


bench = Bench()
for tick in range(1500):
    for every, fn in REGISTRY.values():
        if tick % every == 0:
            fn(bench)
    if tick % 300 == 0:
        print(tick, {k: round(v, 3) for k, v in bench.log.items()})
