# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim


class Pendulum:
    """Vectorised swing-up; observation is (cos, sin, velocity)."""

    def __init__(self, n):
        self.n = n
        self.theta = torch.rand(n) * 6.28
        self.omega = torch.zeros(n)

    def obs(self):
        return torch.stack([self.theta.cos(), self.theta.sin(), self.omega / 8], 1)

    def step(self, torque):
        angle = torch.atan2(self.theta.sin(), self.theta.cos())
        reward = -(angle ** 2 + 0.1 * self.omega ** 2 + 0.001 * torque ** 2)
        self.omega = (self.omega + 0.05 * (15 * self.theta.sin() + 3 * torque)).clamp(-8, 8)
        self.theta = self.theta + 0.05 * self.omega
        return self.obs(), reward


class QNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(4, 32), nn.Linear(32, 32), nn.Linear(32, 1)

    def forward(self, x, a):
        x = F.relu(self.fc1(torch.cat([x, a], 1)))
        return self.fc3(F.relu(self.fc2(x)))


class Actor(nn.Module):
    def __init__(self, scale=2.0):
        super().__init__()
        self.fc1, self.fc_mu = nn.Linear(3, 32), nn.Linear(32, 1)
        self.register_buffer("action_scale", torch.tensor(scale))

    def forward(self, x):
        return torch.tanh(self.fc_mu(F.relu(self.fc1(x)))) * self.action_scale


class Ring:
    def __init__(self, size):
        self.size, self.data, self.at = size, [], 0

    def extend(self, rows):
        for row in rows:
            if len(self.data) < self.size:
                self.data.append(row)
            else:
                self.data[self.at] = row
            self.at = (self.at + 1) % self.size

    def sample(self, n):
        rows = [self.data[int(i)] for i in torch.randint(len(self.data), (n,))]
        return torch.stack(rows).split([3, 1, 1, 3], 1)


def polyak(net, target, tau=0.01):
    with torch.no_grad():
        for p, tp in zip(net.parameters(), target.parameters()):
            tp.mul_(1 - tau).add_(tau * p)


def main(total=400, gamma=0.97):
    torch.manual_seed(1)
    env, ring = Pendulum(4), Ring(1000)
    actor, qf1 = Actor(), QNetwork()
    target_actor, qf1_target = copy.deepcopy(actor), copy.deepcopy(qf1)
    q_optimizer = optim.Adam(qf1.parameters(), lr=1e-3)
    actor_optimizer = optim.Adam(actor.parameters(), lr=3e-4)
    obs = env.obs()
    for global_step in range(total):
        with torch.no_grad():
            action = (actor(obs) + 0.3 * torch.randn(4, 1)).clamp(-2, 2)
        nobs, reward = env.step(action.squeeze(1))
        ring.extend(torch.cat([obs, action, reward.unsqueeze(1), nobs], 1))
        obs = nobs

        o, a, r, no = ring.sample(32)
        with torch.no_grad():
            y = r + gamma * qf1_target(no, target_actor(no))
        qf1_loss = F.mse_loss(qf1(o, a), y)
        actor_loss = -qf1(o, actor(o)).mean()  # <- culprit

        q_optimizer.zero_grad()
        qf1_loss.backward()
        q_optimizer.step()  # <- culprit

        actor_optimizer.zero_grad()
        actor_loss.backward()
        actor_optimizer.step()
        polyak(actor, target_actor)
        polyak(qf1, qf1_target)
        if global_step % 100 == 0:
            print(global_step, qf1_loss.item(), actor_loss.item(), reward.mean().item())


if __name__ == "__main__":
    main()
