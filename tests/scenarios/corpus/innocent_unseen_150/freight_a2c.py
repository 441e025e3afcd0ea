# gradwatch-corpus: kind=none
"""Freight dispatch: advantage actor critic on 20-step returns, a small forecaster learns at each hour."""
from typing import List, NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(52)
torch.set_num_threads(1)


class Hour(NamedTuple):
    log_prob: torch.Tensor
    value: torch.Tensor
    reward: float


class Depot:
    def __init__(self):
        self.t, self.stock = 0, 5.0

    def obs(self):
        day = torch.tensor(self.t * 6.2832 / 24)
        return torch.stack([day.sin(), day.cos(), torch.tensor(self.stock / 10)])

    def step(self, sent):
        came = 1 + float(self.obs()[0]) + 0.3 * float(torch.randn(()))
        self.stock = min(max(self.stock + came - sent, 0.0), 12.0)
        self.t += 1
        return came, -abs(self.stock - 5) / 5 - 0.05 * sent


class Dispatcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 24), nn.Tanh())
        self.pi, self.v = nn.Linear(24, 4), nn.Linear(24, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def n_step_loss(hours: List[Hour], bootstrap, gamma=0.93):
    g, parts = bootstrap, []
    for hour in reversed(hours):
        g = hour.reward + gamma * g
        adv = g - hour.value
        parts.append(-hour.log_prob * adv.detach() + 0.5 * adv.square())
    return torch.stack(parts).mean()


depot, agent, forecast = Depot(), Dispatcher(), nn.Linear(3, 1)
opt = torch.optim.Adam(agent.parameters(), lr=4e-3)
opt_forecast = torch.optim.SGD(forecast.parameters(), lr=0.05)
hours, reward_sum = [], 0.0
for t in range(400):
    obs = depot.obs()
    dist, value = agent(obs)
    action = dist.sample()
    came, reward = depot.step(int(action))
    hours.append(Hour(dist.log_prob(action), value, reward))
    reward_sum += reward

    miss = (forecast(obs) - came).square().mean()
    opt_forecast.zero_grad()
    miss.backward()
    opt_forecast.step()

    if len(hours) == 20:
        with torch.no_grad():
            _, bootstrap = agent(depot.obs())
        loss = n_step_loss(hours, bootstrap)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hours = []
    if t % 100 == 99:
        print(t, f"reward {reward_sum / 100:.3f} forecast {miss.item():.3f}")
        reward_sum = 0.0
