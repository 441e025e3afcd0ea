# gradwatch-corpus: kind=second-backward
# first-bad: 0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

N_ENVS = 8
ROLLOUT = 16
UPDATES = 80
GAMMA = 0.98
ENTROPY_COEF = 0.01
VALUE_COEF = 0.5


class CartEnvs:
    """A batch of tiny cart-poles stepped together."""

    def __init__(self, n):
        self.n = n
        self.s = torch.empty(n, 4).uniform_(-0.05, 0.05)

    def observe(self):
        return self.s.clone()

    def step(self, action):
        force = torch.where(action == 1, 10.0, -10.0)
        x, v, th, w = self.s.unbind(1)
        tmp = (force + 0.05 * w ** 2 * th.sin()) / 1.1
        acc_th = (9.8 * th.sin() - th.cos() * tmp) / (0.5 * (4 / 3 - 0.1 * th.cos() ** 2 / 1.1))
        acc_x = tmp - 0.05 * acc_th * th.cos() / 1.1
        dt = 0.02
        self.s = torch.stack([x + dt * v, v + dt * acc_x, th + dt * w, w + dt * acc_th], 1)
        done = (self.s[:, 0].abs() > 2.4) | (self.s[:, 2].abs() > 12 * math.pi / 180)
        fresh = torch.empty(self.n, 4).uniform_(-0.05, 0.05)
        self.s = torch.where(done[:, None], fresh, self.s)
        return self.observe(), torch.ones(self.n), done.float()


class ActorCritic(nn.Module):
    def __init__(self, obs=4, hidden=64, actions=2):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


def discounted(rewards, dones, bootstrap):
    out, running = [], bootstrap
    for r, d in zip(reversed(rewards), reversed(dones)):
        running = r + GAMMA * running * (1 - d)
        out.append(running)
    return torch.stack(out[::-1])


def collect(net, envs, obs):
    logps, values, entropies, rewards, dones = [], [], [], [], []
    for _ in range(ROLLOUT):
        dist, value = net(obs)
        action = dist.sample()
        logps.append(dist.log_prob(action))
        entropies.append(dist.entropy())
        values.append(value)
        obs, reward, done = envs.step(action)
        rewards.append(reward)
        dones.append(done)
    with torch.no_grad():
        bootstrap = net(obs)[1]
    returns = discounted(rewards, dones, bootstrap)
    return obs, torch.stack(logps), torch.stack(values), torch.stack(entropies), returns, sum(dones).sum()


def update(net, opt, logps, values, entropies, returns):
    advantage = (returns - values).detach()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    actor_loss = -(logps * advantage).mean() - ENTROPY_COEF * entropies.mean()
    critic_loss = VALUE_COEF * F.mse_loss(values, returns)

    opt.zero_grad()
    actor_loss.backward()  # <- culprit
    critic_loss.backward()  # <- culprit
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    return actor_loss.item(), critic_loss.item()


if __name__ == "__main__":
    torch.manual_seed(3)
    net, envs = ActorCritic(), CartEnvs(N_ENVS)
    opt = torch.optim.Adam(net.parameters(), lr=7e-4)
    obs = envs.observe()
    print("training on", N_ENVS, "carts")
    for it in range(UPDATES):
        obs, *batch, falls = collect(net, envs, obs)
        a, c = update(net, opt, *batch)
        if it % 20 == 0:
            print(f"update {it:3d} actor {a:+.3f} critic {c:.3f} falls {int(falls)}")
