# gradwatch-corpus: kind=none
"""MAML over pendula of different length; three differentiable inner steps through functional_call."""
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(80)


@dataclass(frozen=True)
class Episode:
    support: tuple[Tensor, Tensor]
    query: tuple[Tensor, Tensor]


def episode() -> Episode:
    omega, phase = 1 + 2 * torch.rand(1), 6.28 * torch.rand(1)

    def draw(n):
        t = 3 * torch.rand(n, 1)
        return t, torch.cos(omega * t + phase)

    return Episode(draw(8), draw(8))


net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))


def mse(params, data):
    return nn.functional.mse_loss(functional_call(net, params, (data[0],)), data[1])


def adapt(params, support, rates, rounds=3):
    for _ in range(rounds):
        grads = torch.autograd.grad(mse(params, support), tuple(params.values()), create_graph=True)
        params = {k: p - rates[i].exp() * g for i, ((k, p), g) in enumerate(zip(params.items(), grads))}
    return params


log_rates = nn.Parameter(torch.full((6,), -2.5))
meta = torch.optim.Adam([*net.parameters(), log_rates], lr=2e-3)
recent = []
for it in range(450):
    tasks = [episode() for _ in range(2)]
    start = dict(net.named_parameters())
    outer = sum(mse(adapt(start, e.support, log_rates), e.query) for e in tasks) / len(tasks)
    meta.zero_grad()
    outer.backward()
    meta.step()
    recent.append(outer.item())
    if it % 90 == 89:
        print(it + 1, sum(recent) / len(recent))
        recent.clear()
