import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, o))


class DiscreteSAC:
    def __init__(self, obs_dim, n_actions, cfg, buffer):
        self.cfg = cfg
        self.buffer = buffer
        self.actor = mlp(obs_dim, n_actions)
        self.q1, self.q2 = mlp(obs_dim, n_actions), mlp(obs_dim, n_actions)
        self.q1_t, self.q2_t = copy.deepcopy(self.q1), copy.deepcopy(self.q2)
        params = [*self.actor.parameters(), *self.q1.parameters(), *self.q2.parameters()]
        self.opt = torch.optim.Adam(params, lr=cfg["lr"])

    def act(self, obs):
        dist = Categorical(logits=self.actor(torch.as_tensor(obs)))
        action = dist.sample()
        return action.item(), dist.log_prob(action)  # <- culprit

    def update(self, batch_size):
        obs, act, rew, nxt, done = self.buffer.sample(batch_size)
        alpha, gamma = self.cfg["alpha"], self.cfg["gamma"]

        with torch.no_grad():
            nlogp = F.log_softmax(self.actor(nxt), -1)
            nq = torch.min(self.q1_t(nxt), self.q2_t(nxt))
            v = (nlogp.exp() * (nq - alpha * nlogp)).sum(-1)
            target = rew + gamma * (1 - done) * v

        qa1 = self.q1(obs).gather(1, act[:, None]).squeeze(1)
        qa2 = self.q2(obs).gather(1, act[:, None]).squeeze(1)
        q_loss = F.mse_loss(qa1, target) + F.mse_loss(qa2, target)

        logp = F.log_softmax(self.actor(obs), -1)
        with torch.no_grad():
            q = torch.min(self.q1(obs), self.q2(obs))
        pi_loss = (logp.exp() * (alpha * logp - q)).sum(-1).mean()

        self.opt.zero_grad()
        (q_loss + pi_loss).backward()
        self.opt.step()
        self._polyak(0.02)
        ent = -(logp.exp() * logp).sum(-1).mean()
        return {"q": q_loss.item(), "pi": pi_loss.item(), "ent": ent.item()}

    @torch.no_grad()
    def _polyak(self, tau):
        for net, tgt in ((self.q1, self.q1_t), (self.q2, self.q2_t)):
            for p, pt in zip(net.parameters(), tgt.parameters()):
                pt.lerp_(p, tau)

    @torch.no_grad()
    def policy_lag(self, n):
        obs, act, logp_b = self.buffer.latest(n)
        logp = F.log_softmax(self.actor(obs), -1).gather(1, act[:, None]).squeeze(1)
        return (logp - logp_b).abs().mean().item()
