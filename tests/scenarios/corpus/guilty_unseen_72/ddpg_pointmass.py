# gradwatch-corpus: kind=inplace-modified
# holder: actor_loss | losses["actor"] | self.critic.q[2].weight | agent.critic.q[2].weight | self.critic.q[0].weight | agent.critic.q[0].weight | self.critic.q[4].weight | agent.critic.q[4].weight
# first-bad: 25
# notice: 1
"""DDPG on a 1-D point mass that has to be brought to rest at the origin."""
import copy
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
Transition = namedtuple("Transition", "s a r s2 done")


class PointMass:
    horizon = 40

    def reset(self):
        self.t = 0
        self.state = torch.tensor([random.uniform(-1, 1), random.uniform(-0.5, 0.5)])
        return self.state

    def step(self, a):
        x, v = self.state.tolist()
        v = 0.95 * v + 0.1 * max(-1.0, min(1.0, a))
        x = x + 0.1 * v
        self.state = torch.tensor([x, v])
        self.t += 1
        return self.state, -(x * x + 0.1 * v * v + 0.01 * a * a), self.t >= self.horizon


class ReplayBuffer:
    def __init__(self, size):
        self.data = deque(maxlen=size)

    def push(self, *args):
        self.data.append(Transition(*args))

    def sample(self, n):
        b = Transition(*zip(*random.sample(self.data, n)))
        col = lambda v: torch.tensor(v, dtype=torch.float32).unsqueeze(1)
        return Transition(torch.stack(b.s), col(b.a), col(b.r), torch.stack(b.s2), col(b.done))


class Actor(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(2, h), nn.ReLU(), nn.Linear(h, 1), nn.Tanh())

    def forward(self, s):
        return self.pi(s)


class Critic(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(3, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 1))

    def forward(self, s, a):
        return self.q(torch.cat([s, a], 1))


class DDPG:
    def __init__(self, gamma=0.97, tau=0.02, actor_warmup=25):
        self.gamma, self.tau, self.actor_warmup = gamma, tau, actor_warmup
        self.actor, self.critic = Actor(), Critic()
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), 2e-3)
        self.updates = 0

    @torch.no_grad()
    def act(self, s, noise=0.3):
        return max(-1.0, min(1.0, self.actor(s).item() + random.gauss(0, noise)))

    def compute_losses(self, b):
        with torch.no_grad():
            y = b.r + self.gamma * (1 - b.done) * self.critic_t(b.s2, self.actor_t(b.s2))
        losses = {"critic": F.mse_loss(self.critic(b.s, b.a), y)}
        if self.updates >= self.actor_warmup:
            losses["actor"] = -self.critic(b.s, self.actor(b.s)).mean()  # <- culprit
        return losses

    def update(self, batch):
        losses = self.compute_losses(batch)
        self.critic_opt.zero_grad()
        losses["critic"].backward()
        self.critic_opt.step()  # <- culprit
        if "actor" in losses:
            self.actor_opt.zero_grad()
            losses["actor"].backward()
            self.actor_opt.step()
        self.sync()
        self.updates += 1
        return {k: v.item() for k, v in losses.items()}

    @torch.no_grad()
    def sync(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p, self.tau)


def main(total_steps=300, batch_size=32):
    random.seed(4)
    torch.manual_seed(4)
    env, agent, buffer = PointMass(), DDPG(), ReplayBuffer(5000)
    s = env.reset()
    for _ in range(200):
        a = random.uniform(-1, 1)
        s2, r, done = env.step(a)
        buffer.push(s, a, r, s2, float(done))
        s = env.reset() if done else s2

    s, ret, returns = env.reset(), 0.0, []
    for step in range(total_steps):
        a = agent.act(s)
        s2, r, done = env.step(a)
        buffer.push(s, a, r, s2, float(done))
        ret += r
        s = s2
        if done:
            returns.append(ret)
            s, ret = env.reset(), 0.0
        stats = agent.update(buffer.sample(batch_size))
        if step % 10 == 0:
            print(step, stats)
    print("last returns", [round(x, 2) for x in returns[-3:]])


if __name__ == "__main__":
    main()
