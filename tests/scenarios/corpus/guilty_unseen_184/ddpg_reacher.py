# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(sizes, out=None):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(nn.ReLU())
    if out is not None:
        layers.append(out)
    return nn.Sequential(*layers)


class Replay:
    def __init__(self, size, obs_dim, act_dim):
        self.o = torch.zeros(size, obs_dim)
        self.a = torch.zeros(size, act_dim)
        self.r = torch.zeros(size)
        self.o2 = torch.zeros(size, obs_dim)
        self.size, self.n = size, 0

    def add(self, o, a, r, o2):
        k = self.n % self.size
        self.o[k], self.a[k], self.r[k], self.o2[k] = o, a, r, o2
        self.n += 1

    def sample(self, batch):
        idx = torch.randint(0, min(self.n, self.size), (batch,))
        return self.o[idx], self.a[idx], self.r[idx], self.o2[idx]


class DDPG:
    def __init__(self, obs_dim, act_dim, hidden=32, gamma=0.97, tau=0.01):
        self.actor = mlp([obs_dim, hidden, act_dim], nn.Tanh())
        self.critic = mlp([obs_dim + act_dim, hidden, hidden, 1])
        self.actor_targ = copy.deepcopy(self.actor)
        self.critic_targ = copy.deepcopy(self.critic)
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.q_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau

    def q(self, net, o, a):
        return net(torch.cat([o, a], -1)).squeeze(-1)

    def losses(self, o, a, r, o2):
        with torch.no_grad():
            y = r + self.gamma * self.q(self.critic_targ, o2, self.actor_targ(o2))
        q_loss = F.mse_loss(self.q(self.critic, o, a), y)
        pi_loss = -self.q(self.critic, o, self.actor(o)).mean()
        return q_loss, pi_loss

    def update(self, batch):
        q_loss, pi_loss = self.losses(*batch)  # <- culprit

        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()  # <- culprit

        self.pi_opt.zero_grad()
        pi_loss.backward()
        self.pi_opt.step()
        self.polyak()
        return q_loss.item(), pi_loss.item()

    @torch.no_grad()
    def polyak(self):
        for net, targ in ((self.actor, self.actor_targ), (self.critic, self.critic_targ)):
            for p, t in zip(net.parameters(), targ.parameters()):
                t.lerp_(p, self.tau)


def env_step(s, a):
    s2 = torch.cat([s[:2] + 0.1 * a, s[2:]])
    return s2, -(s2[:2] - s2[2:]).norm()


def main():
    torch.manual_seed(0)
    agent, replay = DDPG(4, 2), Replay(2000, 4, 2)
    s = torch.rand(4) * 2 - 1
    for t in range(1000):
        with torch.no_grad():
            a = (agent.actor(s) + 0.2 * torch.randn(2)).clamp(-1, 1)
        s2, r = env_step(s, a)
        replay.add(s, a, r, s2)
        s = s2 if t % 25 else torch.rand(4) * 2 - 1
        if t >= 100:
            ql, pl = agent.update(replay.sample(32))
            if t % 100 == 0:
                print(t, f"q {ql:.4f} pi {pl:.4f}")


if __name__ == "__main__":
    main()
