# gradwatch-corpus: kind=none
"""Soft actor-critic on a 2-d point mass, with automatic temperature."""
import random
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Twin(nn.Module):
    def __init__(self, o, a):
        super().__init__()
        self.q1, self.q2 = mlp(o + a, 1), mlp(o + a, 1)

    def forward(self, o, a):
        x = torch.cat([o, a], -1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class Actor(nn.Module):
    def __init__(self, o, a):
        super().__init__()
        self.body = mlp(o, 2 * a)

    def forward(self, o):
        mu, ls = self.body(o).chunk(2, -1)
        d = Normal(mu, ls.clamp(-4, 1).exp())
        u = d.rsample()
        a = torch.tanh(u)
        logp = (d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-5)).sum(-1)
        return a, logp


class PointMass:
    def reset(self):
        self.p, self.v, self.t = np.random.uniform(-1, 1, 2), np.zeros(2), 0
        return self.obs()

    def obs(self):
        return np.concatenate([self.p, self.v]).astype(np.float32)

    def step(self, a):
        self.v = 0.8 * self.v + 0.2 * a
        self.p = np.clip(self.p + 0.2 * self.v, -2, 2)
        self.t += 1
        return self.obs(), float(-np.linalg.norm(self.p) - 0.05 * (a ** 2).sum()), self.t >= 30


class SAC:
    def __init__(self, o=4, a=2, gamma=0.95, tau=0.02):
        self.actor, self.critic, self.target = Actor(o, a), Twin(o, a), Twin(o, a)
        self.target.load_state_dict(self.critic.state_dict())
        self.log_alpha = torch.zeros((), requires_grad=True)
        self.gamma, self.tau, self.goal_entropy = gamma, tau, -float(a)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.opt_a = torch.optim.Adam([*self.actor.parameters(), self.log_alpha], lr=1e-3)
        self.recent = deque(maxlen=4)
        self.replay = deque(maxlen=1500)

    def sample(self, n):
        batch = random.sample(self.replay, n)
        return [torch.as_tensor(np.array(col), dtype=torch.float32) for col in zip(*batch)]

    def update(self, n=64):
        o, a, r, o2 = self.sample(n)
        alpha = self.log_alpha.detach().exp()
        with torch.no_grad():
            a2, lp2 = self.actor(o2)
            goal = r + self.gamma * (torch.min(*self.target(o2, a2)) - alpha * lp2)
        q1, q2 = self.critic(o, a)
        td = F.mse_loss(q1, goal) + F.mse_loss(q2, goal)
        self.opt_c.zero_grad()
        td.backward()
        self.opt_c.step()

        self.critic.requires_grad_(False)
        pi, lp = self.actor(o)
        gain = torch.min(*self.critic(o, pi))
        temp = -(self.log_alpha.exp() * (lp.detach() + self.goal_entropy)).mean()
        self.opt_a.zero_grad()
        ((alpha * lp - gain).mean() + temp).backward()
        self.opt_a.step()
        self.critic.requires_grad_(True)

        with torch.no_grad():
            for t, s in zip(self.target.parameters(), self.critic.parameters()):
                t.lerp_(s, self.tau)
        self.recent.append(td)
        return alpha.item()


if __name__ == "__main__":
    random.seed(0), np.random.seed(0), torch.manual_seed(0)
    env, agent = PointMass(), SAC()
    obs, ret, returns = env.reset(), 0.0, deque(maxlen=10)
    for t in range(460):
        with torch.no_grad():
            act = agent.actor(torch.from_numpy(obs)[None])[0][0].numpy() if t > 100 else np.random.uniform(-1, 1, 2)
        nxt, r, over = env.step(act)
        agent.replay.append((obs, act, r, nxt))
        obs, ret = nxt, ret + r
        if over:
            returns.append(ret)
            obs, ret = env.reset(), 0.0
        if t >= 120 and t % 2 == 0:
            alpha = agent.update()
            if t % 50 == 0:
                td = torch.stack(list(agent.recent)).mean().item()
                print(f"t {t:4d}  td(last 4) {td:.4f}  alpha {alpha:.3f}  return {np.mean(returns):.2f}")
