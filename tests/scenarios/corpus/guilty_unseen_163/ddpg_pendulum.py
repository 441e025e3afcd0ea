# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""DDPG, pendulum-like swing up with my own dynamics."""
import copy
import math
import random

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)
random.seed(2)


class Swing:
    def reset(self):
        self.th, self.om = random.uniform(-math.pi, math.pi), 0.0
        return self.obs()

    def obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.om])

    def step(self, u):
        cost = self.th ** 2 + 0.1 * self.om ** 2 + 0.001 * u * u
        self.om = max(-8.0, min(8.0, self.om + 0.05 * (15 * math.sin(self.th) + 3 * u)))
        self.th = (self.th + 0.05 * self.om + math.pi) % (2 * math.pi) - math.pi
        return self.obs(), -cost


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s):
        return 2 * torch.tanh(self.net(s))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=1))


class DDPG:
    def __init__(self, gamma=0.98, tau=0.01):
        self.actor, self.critic = Actor(), Critic()
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau

    def losses(self, s, a, r, s2):
        with torch.no_grad():
            y = r + self.gamma * self.critic_t(s2, self.actor_t(s2))
        critic_loss = F.mse_loss(self.critic(s, a), y)
        actor_loss = -self.critic(s, self.actor(s)).mean()  # <- culprit
        return critic_loss, actor_loss

    def update(self, batch):
        critic_loss, actor_loss = self.losses(*batch)  # <- culprit

        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()  # <- culprit

        self.opt_a.zero_grad()
        actor_loss.backward()
        self.opt_a.step()
        self.polyak()
        return critic_loss.item(), actor_loss.item()

    @torch.no_grad()
    def polyak(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p, self.tau)


def main():
    env, agent, replay = Swing(), DDPG(), []
    for episode in range(6):
        s, total = env.reset(), 0.0
        for t in range(60):
            with torch.no_grad():
                a = agent.actor(s) + 0.3 * torch.randn(1)
            s2, r = env.step(a.item())
            replay.append((s, a, torch.tensor([r]), s2))
            s, total = s2, total + r
            if len(replay) >= 64:
                batch = [torch.stack(c) for c in zip(*random.sample(replay, 32))]
                c_loss, a_loss = agent.update(batch)
        print(f"episode {episode} return {total:.1f}")


if __name__ == "__main__":
    main()
