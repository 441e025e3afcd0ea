# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import math
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Pendulum:
    def reset(self):
        self.th, self.thdot, self.t = random.uniform(-math.pi, math.pi), 0.0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.thdot / 8])

    def step(self, u):
        cost = (((self.th + math.pi) % (2 * math.pi)) - math.pi) ** 2 + 0.1 * self.thdot ** 2 + 0.001 * u * u
        self.thdot = max(-8, min(8, self.thdot + (15 * math.sin(self.th) + 3 * u) * 0.05))
        self.th += self.thdot * 0.05
        self.t += 1
        return self.obs(), -cost / 10, self.t >= 100


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())

    def forward(self, s):
        return 2.0 * self.net(s)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=-1))


class DDPG:
    def __init__(self, gamma=0.98, tau=0.01):
        self.actor, self.critic = Actor(), Critic()
        self.actor_t, self.critic_t = Actor().requires_grad_(False), Critic().requires_grad_(False)
        self.actor_t.load_state_dict(self.actor.state_dict())
        self.critic_t.load_state_dict(self.critic.state_dict())
        self.a_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau

    def act(self, s, noise):
        with torch.no_grad():
            a = self.actor(s).item()
        return max(-2.0, min(2.0, a + random.gauss(0, noise)))

    def compute_losses(self, s, a, r, s2, d):
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.critic_t(s2, self.actor_t(s2))
        critic_loss = F.smooth_l1_loss(self.critic(s, a), y)
        actor_loss = -self.critic(s, self.actor(s)).mean()  # <- culprit
        return actor_loss, critic_loss

    def update(self, batch):
        actor_loss, critic_loss = self.compute_losses(*batch)
        self.c_opt.zero_grad()
        critic_loss.backward()
        self.c_opt.step()  # <- culprit
        self.a_opt.zero_grad()
        actor_loss.backward()
        self.a_opt.step()
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p.detach(), self.tau)
        return actor_loss.item(), critic_loss.item()


def collate(rows):
    s, a, r, s2, d = zip(*rows)
    col = lambda v: torch.tensor(v, dtype=torch.float32).unsqueeze(1)
    return torch.stack(s), col(a), col(r), torch.stack(s2), col(d)


def main():
    random.seed(7)
    torch.manual_seed(7)
    env, agent, memory = Pendulum(), DDPG(), deque(maxlen=5000)
    s = env.reset()
    for t in range(600):
        a = agent.act(s, noise=0.4)
        s2, r, done = env.step(a)
        memory.append((s, a, r, s2, float(done)))
        s = env.reset() if done else s2
        if len(memory) >= 100:
            al, cl = agent.update(collate(random.sample(memory, 32)))
            if t % 100 == 0:
                print(f"t {t} actor {al:.3f} critic {cl:.4f}")


if __name__ == "__main__":
    main()
