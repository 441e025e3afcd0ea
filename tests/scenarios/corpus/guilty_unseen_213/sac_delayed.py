# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
import copy
from collections import deque
from dataclasses import dataclass
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    env_steps: int = 120
    batch_size: int = 64
    gamma: float = 0.97
    tau: float = 0.01
    lr: float = 1e-3
    prefill: int = 30
    policy_frequency: int = 2
    target_entropy: float = -1.0
    seed: int = 2


class Pendulumish:
    def reset(self):
        self.th, self.w = 3.14 + 0.1 * random.random(), 0.0
        return self.obs()

    def obs(self):
        t = torch.tensor(self.th)
        return torch.stack([t.cos(), t.sin(), torch.tensor(self.w)])

    def step(self, u):
        self.w = max(-8.0, min(8.0, self.w + 0.05 * (15 * torch.sin(torch.tensor(self.th)).item() + 3 * u)))
        self.th += 0.05 * self.w
        r = -(1 - torch.cos(torch.tensor(self.th)).item()) - 0.01 * self.w ** 2 - 0.001 * u * u
        return self.obs(), r


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = mlp(3, 2)

    def forward(self, s):
        mean, log_std = self.body(s).chunk(2, -1)
        dist = torch.distributions.Normal(mean, log_std.clamp(-4, 1).exp())
        x = dist.rsample()
        a = torch.tanh(x)
        logp = dist.log_prob(x) - torch.log(1 - a.pow(2) + 1e-6)
        return a, logp.sum(-1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.q1, self.q2 = mlp(4, 1), mlp(4, 1)

    def forward(self, s, a):
        sa = torch.cat([s, a], -1)
        return self.q1(sa).squeeze(-1), self.q2(sa).squeeze(-1)


class SAC:
    def __init__(self, args):
        self.args = args
        self.actor, self.critic = Actor(), Critic()
        self.critic_t = copy.deepcopy(self.critic).requires_grad_(False)
        self.log_alpha = torch.zeros((), requires_grad=True)
        self.opts = {
            "critic": torch.optim.Adam(self.critic.parameters(), lr=args.lr),
            "actor": torch.optim.Adam(self.actor.parameters(), lr=args.lr),
            "alpha": torch.optim.Adam([self.log_alpha], lr=args.lr),
        }
        self.buffer = deque(maxlen=5000)

    def critic_loss(self, s, a, r, s2):
        with torch.no_grad():
            a2, lp2 = self.actor(s2)
            q = torch.min(*self.critic_t(s2, a2)) - self.log_alpha.exp() * lp2
            y = r + self.args.gamma * q
        q1, q2 = self.critic(s, a)
        return F.mse_loss(q1, y) + F.mse_loss(q2, y)

    def policy_losses(self, s):
        pi, logp = self.actor(s)
        alpha = self.log_alpha.exp().detach()
        actor = (alpha * logp - torch.min(*self.critic(s, pi))).mean()
        temp = -(self.log_alpha.exp() * (logp.detach() + self.args.target_entropy)).mean()
        return {"actor": actor, "alpha": temp}

    def minimise(self, losses):
        for name, loss in losses.items():
            self.opts[name].zero_grad()
            loss.backward()
            self.opts[name].step()  # <- culprit

    def update(self, t):
        s, a, r, s2 = map(torch.stack, zip(*random.sample(self.buffer, min(len(self.buffer), self.args.batch_size))))
        losses = {"critic": self.critic_loss(s, a, r, s2)}
        if t % self.args.policy_frequency == 1:
            losses.update(self.policy_losses(s))  # <- culprit
        self.minimise(losses)  # <- culprit
        with torch.no_grad():
            for pt, p in zip(self.critic_t.parameters(), self.critic.parameters()):
                pt.lerp_(p, self.args.tau)
        return {k: v.item() for k, v in losses.items()}


def main():
    args = Args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    env, agent = Pendulumish(), SAC(args)
    s = env.reset()
    for t in range(-args.prefill, args.env_steps):
        with torch.no_grad():
            a, _ = agent.actor(s[None])
        s2, r = env.step(2 * a.item())
        agent.buffer.append((s, a[0], torch.tensor(r), s2))
        s = env.reset() if (t + 1) % 80 == 0 else s2
        if t >= 0:
            logs = agent.update(t)
            if t % 20 == 0:
                print(t, {k: round(v, 3) for k, v in logs.items()})


if __name__ == "__main__":
    main()
