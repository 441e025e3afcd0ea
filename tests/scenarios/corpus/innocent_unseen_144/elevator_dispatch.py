# gradwatch-corpus: kind=none
import asyncio

import torch

torch.set_num_threads(1)
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(38)


class Building:
    def __init__(self, floors=6, horizon=12):
        self.floors, self.horizon = floors, horizon

    async def reset(self):
        self.t, self.pos = 0, 0
        self.call = int(torch.randint(0, self.floors, ()))
        return self.view()

    def view(self):
        v = torch.zeros(2 * self.floors)
        v[self.pos] = 1
        v[self.floors + self.call] = 1
        return v

    async def move(self, a):
        await asyncio.sleep(0)
        self.pos = min(self.floors - 1, max(0, self.pos + a - 1))
        self.t += 1
        reward = 1.0 if self.pos == self.call else -0.1
        if self.pos == self.call:
            self.call = int(torch.randint(0, self.floors, ()))
        return self.view(), reward, self.t >= self.horizon


class Dispatcher(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.shared = nn.Linear(n, 20)
        self.pi, self.v = nn.Linear(20, 3), nn.Linear(20, 1)

    def forward(self, o):
        h = torch.relu(self.shared(o))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


async def episode(env, net):
    trail, obs, over = [], await env.reset(), False
    while not over:
        dist, value = net(obs)
        a = dist.sample()
        obs, r, over = await env.move(int(a))
        trail.append((dist.log_prob(a), value, dist.entropy(), r))
    return trail


def returns(trail, gamma=0.9):
    g = 0.0
    for logp, value, ent, r in reversed(trail):
        g = r + gamma * g
        yield logp, value, ent, g


async def main():
    env, net = Building(), Dispatcher(12)
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    score = 0.0
    for ep in range(600):
        trail = await episode(env, net)
        objective = 0
        for logp, value, ent, g in returns(trail):
            objective = objective - logp * (g - value.detach()) + 0.5 * (g - value) ** 2 - 0.01 * ent
        opt.zero_grad()
        (objective / len(trail)).backward()
        opt.step()
        score = 0.98 * score + 0.02 * sum(s[3] for s in trail)
        if ep % 150 == 0:
            print(ep, round(score, 3))


asyncio.run(main())
