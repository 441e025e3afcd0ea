# gradwatch-corpus: kind=graph-held
# holder: self.target | critic.target | learner.critic.target
# first-bad: 1
"""Twin-critic actor-critic on a pendulum-like task, written with functional parameters so that the
twin critics run in one vmapped call; target parameters follow by Polyak averaging."""
import copy
from collections import deque
import random

import torch
from torch import nn
from torch.func import functional_call, stack_module_state


class Q(nn.Module):
    def __init__(self, n_obs=3, n_act=1, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs + n_act, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, obs, act):
        return self.net(torch.cat([obs, act], -1)).squeeze(-1)


class TwinCritic:
    def __init__(self, tau=0.01):
        stacked, _ = stack_module_state([Q(), Q()])
        self.online = {k: v.detach().requires_grad_() for k, v in stacked.items()}
        self.target = {k: v.detach().clone() for k, v in stacked.items()}
        self.base = copy.deepcopy(Q()).to("meta")
        self.tau = tau

    def __call__(self, params, obs, act):
        def one(p):
            return functional_call(self.base, p, (obs, act))
        return torch.vmap(one)(params)

    def parameters(self):
        return list(self.online.values())

    def follow(self):
        self.target = {k: (1 - self.tau) * t + self.tau * self.online[k]  # <- culprit
                       for k, t in self.target.items()}


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, obs):
        mu, log_std = self.body(obs).chunk(2, -1)
        dist = torch.distributions.Normal(mu, log_std.clamp(-4, 1).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        return a, (dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1)


class Swing:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.th, self.om = self.rng.uniform(-3, 3), 0.0

    def obs(self):
        th = torch.tensor(self.th)
        return torch.stack([th.cos(), th.sin(), torch.tensor(self.om)])

    def step(self, a):
        cost = (self.th ** 2) + 0.1 * self.om ** 2
        self.om = max(-8.0, min(8.0, self.om + 0.05 * (15 * torch.tensor(self.th).sin().item() + 3 * a)))
        self.th = (self.th + 0.05 * self.om + 3.14159) % 6.28318 - 3.14159
        return self.obs(), -0.1 * cost


class Learner:
    def __init__(self, gamma=0.98, alpha=0.1):
        self.actor, self.critic = Actor(), TwinCritic()
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma, self.alpha = gamma, alpha

    def update(self, batch):
        obs, act, rew, nxt = (torch.stack(c) for c in zip(*batch))
        a2, logp2 = self.actor(nxt)
        q2 = self.critic(self.critic.target, nxt, a2).min(0).values
        y = (rew + self.gamma * (q2 - self.alpha * logp2)).detach()
        loss_c = (self.critic(self.critic.online, obs, act) - y).pow(2).mean()
        self.opt_c.zero_grad()
        loss_c.backward()
        self.opt_c.step()
        frozen = {k: v.detach() for k, v in self.critic.online.items()}
        a, logp = self.actor(obs)
        loss_a = (self.alpha * logp - self.critic(frozen, obs, a).min(0).values).mean()
        self.opt_a.zero_grad()
        loss_a.backward()
        self.opt_a.step()
        self.critic.follow()
        return loss_c.item(), loss_a.item()


def main(steps=600):
    torch.manual_seed(0)
    env, learner, buffer = Swing(3), Learner(), deque(maxlen=500)
    rng = random.Random(4)
    for s in range(steps):
        obs = env.obs()
        with torch.no_grad():
            act = learner.actor(obs)[0]
        nxt, r = env.step(act.item())
        buffer.append((obs, act, torch.tensor(r), nxt))
        c, a = learner.update([rng.choice(buffer) for _ in range(32)])
        if s % 100 == 0:
            print(f"{s} critic {c:.4f} actor {a:.4f}")


if __name__ == "__main__":
    main()
