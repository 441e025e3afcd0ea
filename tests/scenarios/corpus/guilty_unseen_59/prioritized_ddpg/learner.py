"""DDPG updates."""
import copy

import torch
from torch import nn


def head(n_in, n_out, last=None):
    mods = [nn.Linear(n_in, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, n_out)]
    return nn.Sequential(*mods, *([last] if last else []))


class DdpgLearner:
    def __init__(self, obs, act, replay, batch, gamma=0.95, tau=0.02):
        self.replay, self.batch, self.gamma, self.tau = replay, batch, gamma, tau
        self.policy, self.value = head(obs, act, nn.Tanh()), head(obs + act, 1)
        self.policy_slow = copy.deepcopy(self.policy).requires_grad_(False)
        self.value_slow = copy.deepcopy(self.value).requires_grad_(False)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=1e-3)
        self.value_opt = torch.optim.Adam(self.value.parameters(), lr=2e-3)

    def q(self, net, s, a):
        return net(torch.cat([s, a], -1)).squeeze(-1)

    def fit_value(self):
        idx, (s, a, r, s2), correction = self.replay.sample(self.batch)
        with torch.no_grad():
            target = r + self.gamma * self.q(self.value_slow, s2, self.policy_slow(s2))
        td = target - self.q(self.value, s, a)
        loss = (correction * td.pow(2)).mean()
        self.value_opt.zero_grad()
        loss.backward()
        self.value_opt.step()
        self.replay.reprioritize(idx, td)  # <- culprit
        return s, loss.item()

    def fit_policy(self, s):
        loss = -self.q(self.value, s, self.policy(s)).mean()
        self.policy_opt.zero_grad()
        loss.backward()
        self.policy_opt.step()
        return loss.item()

    @torch.no_grad()
    def track(self):
        for fast, slow in ((self.policy, self.policy_slow), (self.value, self.value_slow)):
            for p, t in zip(fast.parameters(), slow.parameters()):
                t.lerp_(p, self.tau)

    def update(self):
        states, value_loss = self.fit_value()
        policy_loss = self.fit_policy(states)
        self.track()
        return {"value": value_loss, "policy": policy_loss}
