import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, hid=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, hid), nn.Tanh(), nn.Linear(hid, hid), nn.Tanh())
        self.pi, self.v = nn.Linear(hid, n_act), nn.Linear(hid, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return self.pi(z), self.v(z).squeeze(-1)


def gae(r, v, alive, last, gamma=0.97, lam=0.9):
    adv, run = torch.zeros_like(r), torch.zeros_like(last)
    nxt = last
    for t in reversed(range(len(r))):
        delta = r[t] + gamma * nxt * alive[t] - v[t]
        run = delta + gamma * lam * alive[t] * run
        adv[t] = run
        nxt = v[t]
    return adv
