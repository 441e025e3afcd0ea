# gradwatch-corpus: kind=inplace-modified
# first-bad: 21
import random
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(13)
random.seed(13)
torch.set_num_threads(1)


class PointMass:
    def reset(self):
        self.x = torch.randn(2)
        return self.x.clone()

    def step(self, a):
        self.x = torch.stack([self.x[0] + 0.1 * self.x[1], self.x[1] + 0.1 * a.item()])
        return self.x.clone(), -self.x.pow(2).sum().item() - 0.01 * a.item() ** 2


def mlp(i, o, last=None):
    layers = [nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, o)]
    return nn.Sequential(*layers, *([last] if last else []))


class Ddpg:
    def __init__(self, warmup=20):
        self.actor, self.critic = mlp(2, 1, nn.Tanh()), mlp(3, 1)
        self.target = mlp(3, 1)
        self.target.load_state_dict(self.critic.state_dict())
        self.opt_a = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), 2e-3)
        self.warmup, self.updates = warmup, 0

    @torch.no_grad()
    def act(self, s):
        return self.actor(s) + 0.2 * torch.randn(1)

    def q(self, net, s, a):
        return net(torch.cat([s, a], -1)).squeeze(-1)

    def critic_loss(self, s, a, r, s2):
        with torch.no_grad():
            y = r + 0.95 * self.q(self.target, s2, self.actor(s2))
        return F.smooth_l1_loss(self.q(self.critic, s, a), y)

    def actor_loss(self, s):
        return -self.q(self.critic, s, self.actor(s)).mean()

    def update(self, batch):
        s, a, r, s2 = batch
        policy_turn = self.updates >= self.warmup
        loss_a = self.actor_loss(s) if policy_turn else None  # <- culprit
        loss_c = self.critic_loss(s, a, r, s2)
        if policy_turn:
            self.opt_c.zero_grad()
            loss_c.backward()
            self.opt_c.step()  # <- culprit
            self.opt_a.zero_grad()
            loss_a.backward()  # <- culprit
            self.opt_a.step()
        else:
            self.opt_c.zero_grad()
            loss_c.backward()
            self.opt_c.step()
        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.critic.parameters()):
                t.lerp_(p, 0.01)
        self.updates += 1
        return loss_c.item()


def sample(replay, n=32):
    rows = random.sample(replay, n)
    s, a, r, s2 = zip(*rows)
    return torch.stack(s), torch.stack(a), torch.tensor(r), torch.stack(s2)


def main():
    env, agent, replay = PointMass(), Ddpg(), deque(maxlen=500)
    s = env.reset()
    for t in range(300):
        if t % 40 == 0:
            s = env.reset()
        a = agent.act(s)
        s2, r = env.step(a)
        replay.append((s, a, r, s2))
        s = s2
        if len(replay) >= 64:
            loss = agent.update(sample(replay))
            if agent.updates % 10 == 0:
                print(agent.updates, round(loss, 4))


if __name__ == "__main__":
    main()
