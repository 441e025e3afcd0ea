# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import torch
import torch.nn as nn
import torch.nn.functional as F


class Hover:
    """Batch of point-mass drones that should hover at the origin."""

    def __init__(self, n, dt=0.05):
        self.n, self.dt = n, dt
        self.pos = torch.randn(n, 2)
        self.vel = torch.zeros(n, 2)
        self.age = torch.zeros(n, dtype=torch.long)

    def obs(self):
        return torch.cat([self.pos, self.vel], dim=1)

    def step(self, thrust):
        thrust = thrust.clamp(-2, 2)
        self.vel = self.vel + self.dt * (thrust - 0.1 * self.vel)
        self.pos = self.pos + self.dt * self.vel
        self.age += 1
        reward = -(self.pos.pow(2).sum(1) + 0.01 * thrust.pow(2).sum(1))
        done = (self.age > 60) | (self.pos.abs().max(dim=1).values > 4)
        if done.any():
            k = int(done.sum())
            self.pos = self.pos.masked_scatter(done.unsqueeze(1), torch.randn(k, 2))
            self.vel = self.vel.masked_fill(done.unsqueeze(1), 0.0)
            self.age = self.age.masked_fill(done, 0)
        return self.obs(), reward, done


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
        self.log_std = nn.Parameter(-0.5 * torch.ones(2))

    def forward(self, s):
        mean = self.net(s)
        eps = torch.randn_like(mean)
        return mean + eps * self.log_std.exp()


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], dim=1)).squeeze(1)


class Learner:
    def __init__(self, gamma=0.97):
        self.gamma = gamma
        self.actor, self.critic = Actor(), Critic()
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=5e-4)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def update(self, s, a, r, s2, done):
        with torch.no_grad():
            boot = self.critic(s2, self.actor(s2))
            target = r + self.gamma * boot * (~done).float()
        critic_loss = F.mse_loss(self.critic(s, a), target)
        actor_loss = -self.critic(s, self.actor(s)).mean()

        self.opt_critic.zero_grad()
        critic_loss.backward()
        self.opt_critic.step()  # <- culprit

        self.opt_actor.zero_grad()
        actor_loss.backward()
        self.opt_actor.step()
        return critic_loss.item(), actor_loss.item()


if __name__ == "__main__":
    torch.manual_seed(8)
    world = Hover(64)
    learner = Learner()
    s = world.obs()
    for t in range(600):
        with torch.no_grad():
            a = learner.actor(s)
        s2, r, done = world.step(a)
        c, p = learner.update(s, a, r, s2, done)
        s = world.obs()
        if t % 60 == 0:
            print(f"{t:4d} critic {c:.3f} actor {p:.3f} reward {r.mean().item():.3f}")
