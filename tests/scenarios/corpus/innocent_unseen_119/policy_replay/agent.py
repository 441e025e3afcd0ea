import copy
import torch
import torch.nn as nn


def mlp(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.Tanh(), nn.Linear(h, o))


class Agent:
    def __init__(self, ns, na, gamma=0.97, tau=0.02):
        self.policy, self.critic = mlp(ns, na), mlp(ns + na, 1)
        self.policy_t, self.critic_t = copy.deepcopy(self.policy), copy.deepcopy(self.critic)
        self.gamma, self.tau = gamma, tau
        self.po = torch.optim.Adam(self.policy.parameters(), lr=1e-3)
        self.co = torch.optim.Adam(self.critic.parameters(), lr=3e-3)
        self.last = {}

    def q(self, net, s, a):
        return net(torch.cat([s, a], -1)).squeeze(-1)

    def learn(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.q(self.critic_t, s2, self.policy_t(s2))
        td = (self.q(self.critic, s, a) - y).pow(2).mean()
        self.co.zero_grad()
        td.backward()
        self.co.step()

        gain = self.q(self.critic, s, self.policy(s)).mean()
        self.po.zero_grad()
        (-gain).backward()
        self.po.step()
        for net, tgt in ((self.policy, self.policy_t), (self.critic, self.critic_t)):
            for p, pt in zip(net.parameters(), tgt.parameters()):
                pt.data.lerp_(p.data, self.tau)
        self.last = {'td': td, 'gain': gain}
        return td.detach(), gain.detach()
