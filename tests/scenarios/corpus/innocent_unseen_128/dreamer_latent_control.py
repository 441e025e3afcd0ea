# gradwatch-corpus: kind=none
import copy
import torch
torch.set_num_threads(1)
from torch import nn

torch.manual_seed(19)
A = torch.tensor([[1.0, 0.1], [-0.1, 0.95]])


def mlp(*d):
    layers = []
    for a, b in zip(d[:-1], d[1:]):
        layers += [nn.Linear(a, b), nn.ELU()]
    return nn.Sequential(*layers[:-1])


class World(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.enc, self.dyn, self.dec, self.rew = mlp(2, 24, z), mlp(z + 1, 24, z), mlp(z, 24, 2), mlp(z, 24, 1)

    def loss(self, obs, act, rew):
        z = self.enc(obs[0])
        total = 0.0
        for t in range(len(act)):
            total = total + (self.dec(z) - obs[t]).square().mean()
            z = self.dyn(torch.cat([z, act[t]], -1))
            total = total + (self.rew(z).squeeze(-1) - rew[t]).square().mean()
        return total / len(act), z.detach()


class Dream:
    """Imagined trajectories: kept while the behaviour learns from them, then thrown away."""

    def __init__(self, world, actor, horizon):
        self.world, self.actor, self.horizon = world, actor, horizon
        self.steps = []

    def roll(self, z):
        self.steps = [z]
        for _ in range(self.horizon):
            z = self.world.dyn(torch.cat([z, torch.tanh(self.actor(z))], -1))
            self.steps.append(z)
        return self

    def lambda_returns(self, value, gamma=0.95, lam=0.9):
        out = [value(self.steps[-1]).squeeze(-1)]
        for z in reversed(self.steps[1:]):
            v = value(z).squeeze(-1)
            out.append(self.world.rew(z).squeeze(-1) + gamma * ((1 - lam) * v + lam * out[-1]))
        return torch.stack(out[:0:-1])


def collect(n=16, T=5):
    x = torch.randn(n, 2)
    obs, act, rew = [], [], []
    for _ in range(T):
        u = torch.rand(n, 1) * 2 - 1
        obs.append(x), act.append(u)
        x = x @ A.t() + torch.cat([torch.zeros(n, 1), 0.3 * u], 1)
        rew.append(-x.square().sum(-1))
    return obs, act, rew


world, actor, value = World(), mlp(6, 24, 1), mlp(6, 24, 1)
slow_value = copy.deepcopy(value).requires_grad_(False)
ow, oa, ov = (torch.optim.Adam(m.parameters(), lr) for m, lr in ((world, 2e-3), (actor, 1e-3), (value, 2e-3)))
dream = Dream(world, actor, horizon=6)
for it in range(250):
    model_loss, z = world.loss(*collect())
    ow.zero_grad()
    model_loss.backward()
    ow.step()

    returns = dream.roll(z).lambda_returns(slow_value)
    oa.zero_grad()
    (-returns.mean()).backward()
    oa.step()

    visited = torch.stack(dream.steps[1:]).detach()
    ov.zero_grad()
    (value(visited).squeeze(-1) - returns.detach()).square().mean().backward()
    ov.step()
    with torch.no_grad():
        for s, f in zip(slow_value.parameters(), value.parameters()):
            s.lerp_(f, 0.05)
    if it % 50 == 0:
        print(it, model_loss.item(), returns.mean().item())
