# gradwatch-corpus: kind=none
"""World model, actor and critic, three optimizers, imagined rollouts of varying horizon."""
import contextlib
import random

import torch
import torch.nn.functional as F
from torch import nn


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ELU(), nn.Linear(h, h), nn.ELU(), nn.Linear(h, o))


@contextlib.contextmanager
def frozen(*mods):
    ps = [p for m in mods for p in m.parameters()]
    for p in ps:
        p.requires_grad_(False)
    try:
        yield
    finally:
        for p in ps:
            p.requires_grad_(True)


def data(n=64):
    s, a = torch.randn(n, 6), torch.rand(n, 2) * 2 - 1
    s2 = 0.9 * s + 0.1 * F.pad(a, (0, 4))
    return s, a, s2, -s2.pow(2).sum(1, keepdim=True)


random.seed(0)
torch.manual_seed(0)
model, reward, actor, critic = mlp(8, 6), mlp(6, 1), mlp(6, 2), mlp(6, 1)
o_m = torch.optim.Adam([*model.parameters(), *reward.parameters()], 1e-3)
o_a = torch.optim.Adam(actor.parameters(), 3e-4)
o_c = torch.optim.Adam(critic.parameters(), 1e-3)
for it in range(120):
    s, a, s2, r = data()
    pred = s + model(torch.cat([s, a], 1))
    m_loss = F.mse_loss(pred, s2) + F.mse_loss(reward(s2), r)
    o_m.zero_grad()
    m_loss.backward()
    o_m.step()

    H = random.randint(3, 7)
    states, ret, disc = [s], 0.0, 1.0
    with frozen(model, reward, critic):
        for _ in range(H):
            act = torch.tanh(actor(states[-1]))
            states.append(states[-1] + model(torch.cat([states[-1], act], 1)))
            ret = ret + disc * reward(states[-1])
            disc *= 0.95
        ret = ret + disc * critic(states[-1])
        a_loss = -ret.mean()
        o_a.zero_grad()
        a_loss.backward()
        o_a.step()

    c_loss = F.mse_loss(critic(states[0].detach()), ret.detach())
    o_c.zero_grad()
    c_loss.backward()
    o_c.step()
    if it % 30 == 0:
        print(it, m_loss.item(), a_loss.item(), c_loss.item())
