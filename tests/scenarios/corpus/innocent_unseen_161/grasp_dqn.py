# gradwatch-corpus: kind=none
"""DQN on a 1-d grasp alignment task: replay buffer, polyak target."""
import copy
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(slots=True)
class Transition:
    obs: torch.Tensor
    q: torch.Tensor
    action: int
    reward: float
    nxt: torch.Tensor


class Align:
    def reset(self):
        self.x = torch.rand(2) * 2 - 1
        return self.x.clone()

    def step(self, a):
        self.x[0] += (-0.1, 0.0, 0.1)[a]
        return self.x.clone(), -abs(self.x[0] - self.x[1]).item()


class Learner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))
        self.target = copy.deepcopy(self.net)
        self.memory = deque(maxlen=2000)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def act(self, obs, eps):
        q = self.net(obs).detach()
        return q, random.randrange(3) if random.random() < eps else int(q.argmax())

    def train_step(self, batch):
        obs = torch.stack([b.obs for b in batch])
        act = torch.tensor([b.action for b in batch])
        rew = torch.tensor([b.reward for b in batch])
        nxt = torch.stack([b.nxt for b in batch])
        with torch.no_grad():
            goal = rew + 0.9 * self.target(nxt).max(1).values
        q = self.net(obs).gather(1, act[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for t, p in zip(self.target.parameters(), self.net.parameters()):
            t.data.mul_(0.98).add_(p.data, alpha=0.02)
        drift = torch.stack([b.q for b in batch]).mean() - q.mean().detach()
        return loss.detach(), drift


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    random.seed(3)
    env, agent, losses = Align(), Learner(), []
    for episode in range(20):
        obs = env.reset()
        for t in range(15):
            q, a = agent.act(obs, 0.3)
            nxt, r = env.step(a)
            agent.memory.append(Transition(obs, q, a, r, nxt))
            obs = nxt
            if len(agent.memory) >= 32:
                losses.append(agent.train_step(random.sample(agent.memory, 32)))
        if losses and episode % 5 == 4:
            tail = torch.stack([l for l, _ in losses[-30:]]).mean()
            print(f"episode {episode} loss {tail:.4f} drift {losses[-1][1]:+.3f}")


if __name__ == "__main__":
    main()
