# gradwatch-corpus: kind=graph-held
# holder: self.memory.storage | agent.memory.storage | self.storage | self.memory | agent.memory
# first-bad: 1
import random
from collections import deque, namedtuple
from copy import deepcopy

import torch
from torch import nn, optim
from torch.distributions import Normal

Transition = namedtuple("Transition", "obs action reward next_obs done")


class PointMass:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.pos = torch.rand(2, generator=self.g) * 2 - 1
        self.vel = torch.zeros(2)
        self.t = 0
        return torch.cat([self.pos, self.vel])

    def step(self, a):
        a = torch.as_tensor(a)
        self.vel = 0.9 * self.vel + 0.1 * a
        self.pos = (self.pos + 0.1 * self.vel).clamp(-2, 2)
        self.t += 1
        r = -self.pos.norm().item() - 0.01 * a.pow(2).sum().item()
        return torch.cat([self.pos, self.vel]), r, self.t >= 40


class ReplayMemory:
    def __init__(self, capacity=20000):
        self.storage = deque(maxlen=capacity)

    def push(self, *args):
        self.storage.append(Transition(*args))  # <- culprit

    def sample(self, n):
        batch = Transition(*zip(*random.sample(self.storage, n)))
        return (torch.stack(batch.obs), torch.stack(batch.action).detach(), torch.tensor(batch.reward),
                torch.stack(batch.next_obs), torch.tensor(batch.done, dtype=torch.float32))

    def __len__(self):
        return len(self.storage)


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(4, 4)

    def forward(self, obs):
        mu, log_std = self.net(obs).chunk(2, -1)
        d = Normal(mu, log_std.clamp(-5, 2).exp())
        u = d.rsample()
        a = torch.tanh(u)
        logp = (d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1)
        return a, logp


class SAC:
    def __init__(self, gamma=0.98, tau=0.01):
        self.gamma, self.tau, self.alpha = gamma, tau, 0.1
        self.actor = Actor()
        self.q1, self.q2 = mlp(6, 1), mlp(6, 1)
        self.tq1, self.tq2 = deepcopy(self.q1), deepcopy(self.q2)
        self.a_opt = optim.Adam(self.actor.parameters(), 3e-4)
        self.q_opt = optim.Adam([*self.q1.parameters(), *self.q2.parameters()], 1e-3)
        self.memory = ReplayMemory()

    def act(self, obs):
        action, _ = self.actor(obs.unsqueeze(0))  # <- culprit
        return action.squeeze(0)  # <- culprit

    def observe(self, obs, action, reward, nxt, done):
        self.memory.push(obs, action, reward, nxt, done)  # <- culprit

    def update(self, bs=32):
        o, a, r, o2, d = self.memory.sample(bs)
        with torch.no_grad():
            a2, lp2 = self.actor(o2)
            x2 = torch.cat([o2, a2], -1)
            tq = torch.min(self.tq1(x2), self.tq2(x2)).squeeze(-1) - self.alpha * lp2
            y = r + self.gamma * (1 - d) * tq
        x = torch.cat([o, a], -1)
        q_loss = (self.q1(x).squeeze(-1) - y).pow(2).mean() + (self.q2(x).squeeze(-1) - y).pow(2).mean()
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()

        pi, lp = self.actor(o)
        xp = torch.cat([o, pi], -1)
        a_loss = (self.alpha * lp - torch.min(self.q1(xp), self.q2(xp)).squeeze(-1)).mean()
        self.a_opt.zero_grad()
        a_loss.backward()
        self.a_opt.step()
        with torch.no_grad():
            for net, tgt in ((self.q1, self.tq1), (self.q2, self.tq2)):
                for p, tp in zip(net.parameters(), tgt.parameters()):
                    tp.lerp_(p, self.tau)
        return q_loss.item(), a_loss.item()


def main():
    torch.manual_seed(7)
    random.seed(7)
    env, agent = PointMass(7), SAC()
    obs = env.reset()
    for _ in range(40):
        a = torch.rand(2) * 2 - 1
        nxt, r, done = env.step(a)
        agent.observe(obs, a, r, nxt, done)
        obs = env.reset() if done else nxt
    for step in range(160):
        action = agent.act(obs)
        nxt, r, done = env.step(action.detach())
        agent.observe(obs, action, r, nxt, done)
        obs = env.reset() if done else nxt
        ql, al = agent.update()
        if step % 40 == 0:
            print(f"[{step:4d}] q={ql:.3f} pi={al:.3f} buffer={len(agent.memory)}")


if __name__ == "__main__":
    main()
