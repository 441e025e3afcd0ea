# gradwatch-corpus: kind=none
"""Admission control of a two-class queue: soft actor-critic style agent with a replay deque."""
import copy
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class TwoQueues:
    def __init__(self, cap=10):
        self.cap = cap
        self.q = torch.zeros(2)

    def obs(self):
        return self.q / self.cap

    def step(self, serve):
        self.q = (self.q + torch.poisson(torch.tensor([0.5, 0.3]))).clamp(max=self.cap)
        self.q[serve] = max(0.0, self.q[serve].item() - 1)
        return self.obs(), -(self.q[0] + 2 * self.q[1]).item() / self.cap


def net(out):
    return nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, out))


class Replay:
    def __init__(self, maxlen):
        self.rows = deque(maxlen=maxlen)

    def add(self, obs, action, logp, reward, nxt):
        self.rows.append((obs, action, logp.detach(), torch.tensor(reward), nxt))

    def sample(self, n):
        return [torch.stack(c) for c in zip(*random.sample(self.rows, n))]


class SoftAgent:
    def __init__(self, gamma=0.9, alpha=0.05, tau=0.02):
        self.actor, self.q = net(2), net(2)
        self.q_slow = copy.deepcopy(self.q).requires_grad_(False)
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.gamma, self.alpha, self.tau = gamma, alpha, tau
        self.td_mean = 0.0

    def act(self, obs):
        dist = torch.distributions.Categorical(logits=self.actor(obs))
        action = dist.sample()
        return action, dist.log_prob(action)

    def target(self, reward, nxt):
        with torch.no_grad():
            logp = self.actor(nxt).log_softmax(-1)
            soft_v = (logp.exp() * (self.q_slow(nxt) - self.alpha * logp)).sum(-1)
            return reward + self.gamma * soft_v

    def learn(self, batch):
        obs, action, old_logp, reward, nxt = batch
        q = self.q(obs).gather(1, action[:, None]).squeeze(1)
        q_loss = F.mse_loss(q, self.target(reward, nxt))
        logp = self.actor(obs).log_softmax(-1)
        actor_loss = (logp.exp() * (self.alpha * logp - self.q_slow(obs))).sum(-1).mean()
        moved = (logp.detach().gather(1, action[:, None]).squeeze(1) - old_logp).abs().mean()

        for opt in (self.opt_q, self.opt_actor):
            opt.zero_grad()
        q_loss.backward()
        actor_loss.backward()
        self.opt_q.step()
        self.opt_actor.step()

        with torch.no_grad():
            for slow, fast in zip(self.q_slow.parameters(), self.q.parameters()):
                slow.mul_(1 - self.tau).add_(fast, alpha=self.tau)
        self.td_mean = 0.95 * self.td_mean + 0.05 * q_loss.detach()
        return moved.item()


def main():
    random.seed(5)
    torch.manual_seed(5)
    env, agent, replay = TwoQueues(), SoftAgent(), Replay(maxlen=300)
    obs, recent, moved = env.obs(), deque(maxlen=100), 0.0
    for t in range(1, 701):
        with torch.no_grad():
            action, logp = agent.act(obs)
        nxt, reward = env.step(int(action))
        replay.add(obs, action, logp, reward, nxt)
        recent.append(reward)
        obs = nxt
        if t > 100 and t % 4 == 0:
            moved = agent.learn(replay.sample(32))
        if t % 100 == 0:
            print(f"t {t}  cost {-sum(recent) / len(recent):.3f}  td {float(agent.td_mean):.4f}  policy moved {moved:.3f}")


if __name__ == "__main__":
    main()
