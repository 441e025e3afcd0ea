import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o, last=None):
    layers = [nn.Linear(i, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, o)]
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


class TD3(object):
    def __init__(self, state_dim, action_dim, gamma=0.98, tau=0.01, policy_freq=2):
        self.actor = mlp(state_dim, action_dim, nn.Tanh())
        self.q1 = mlp(state_dim + action_dim, 1)
        self.q2 = mlp(state_dim + action_dim, 1)
        self.actor_target = copy.deepcopy(self.actor)
        self.q1_target = copy.deepcopy(self.q1)
        self.q2_target = copy.deepcopy(self.q2)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.q1_optimizer = torch.optim.Adam(self.q1.parameters(), lr=1e-3)
        self.q2_optimizer = torch.optim.Adam(self.q2.parameters(), lr=1e-3)
        self.gamma, self.tau, self.policy_freq = gamma, tau, policy_freq
        self.total_it = 0
        self.log = {"critic": [], "actor": []}

    @torch.no_grad()
    def select_action(self, state):
        return self.actor(torch.as_tensor(state, dtype=torch.float32)).numpy()

    def train(self, batch):
        self.total_it += 1
        s, a, r, s2, d = batch

        with torch.no_grad():
            noise = (torch.randn_like(a) * 0.2).clamp(-0.5, 0.5)
            a2 = (self.actor_target(s2) + noise).clamp(-1, 1)
            sa2 = torch.cat([s2, a2], 1)
            target_q = r + (1 - d) * self.gamma * torch.min(self.q1_target(sa2), self.q2_target(sa2))

        sa = torch.cat([s, a], 1)
        loss1 = F.mse_loss(self.q1(sa), target_q)
        loss2 = F.mse_loss(self.q2(sa), target_q)
        for opt, loss in ((self.q1_optimizer, loss1), (self.q2_optimizer, loss2)):
            opt.zero_grad()
            loss.backward()
            opt.step()
        self.log["critic"].append((loss1 + loss2).detach())

        if self.total_it % self.policy_freq == 0:
            actor_loss = -self.q1(torch.cat([s, self.actor(s)], 1)).mean()
            self.actor_optimizer.zero_grad()
            actor_loss.backward()
            self.actor_optimizer.step()
            self.log["actor"].append(actor_loss.item())
            self._soft_update(self.actor, self.actor_target)
            self._soft_update(self.q1, self.q1_target)
            self._soft_update(self.q2, self.q2_target)

    def _soft_update(self, net, target):
        for p, tp in zip(net.parameters(), target.parameters()):
            tp.data.copy_(self.tau * p.data + (1 - self.tau) * tp.data)
