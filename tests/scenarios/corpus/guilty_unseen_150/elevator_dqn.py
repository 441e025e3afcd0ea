# gradwatch-corpus: kind=graph-chain
# holder: self.target | agent.target
# first-bad: 1
# notice: 5
"""Elevator dispatch with a functional target network."""
import random
from collections import deque

import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(21)
random.seed(21)
torch.set_num_threads(1)


class Shaft:
    def __init__(self, floors=8):
        self.floors = floors
        self.reset()

    def reset(self):
        self.at, self.call = random.randrange(self.floors), random.randrange(self.floors)
        return self.obs()

    def obs(self):
        return torch.tensor([self.at, self.call, self.call - self.at], dtype=torch.float32) / self.floors

    def step(self, action):
        self.at = max(0, min(self.floors - 1, self.at + action - 1))
        reward = -abs(self.at - self.call) / self.floors
        if self.at == self.call:
            reward, self.call = 1.0, random.randrange(self.floors)
        return self.obs(), reward


class Agent:
    def __init__(self, tau=0.02, gamma=0.9):
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 3))
        self.target = {k: p.detach().clone() for k, p in self.net.named_parameters()}
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.tau, self.gamma = tau, gamma

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(3)
        with torch.no_grad():
            return int(self.net(obs).argmax())

    def learn(self, batch):
        s, a, r, s2 = batch
        q = self.net(s).gather(1, a[:, None]).squeeze(1)
        nxt = functional_call(self.net, self.target, (s2,)).amax(1)  # <- culprit
        loss = nn.functional.smooth_l1_loss(q, r + self.gamma * nxt)  # <- culprit
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.soft_update()
        return loss.item()

    def soft_update(self):
        for name, p in self.net.named_parameters():
            self.target[name] = torch.lerp(self.target[name], p, self.tau)  # <- culprit


def main():
    env, agent, replay = Shaft(), Agent(), deque(maxlen=2000)
    obs, total, losses = env.reset(), 0.0, []
    for t in range(240):
        a = agent.act(obs, eps=max(0.1, 1 - t / 150))
        nxt, r = env.step(a)
        replay.append((obs, a, r, nxt))
        obs, total = nxt, total + r
        if len(replay) >= 40:
            pick = random.sample(replay, 32)
            batch = (torch.stack([p[0] for p in pick]), torch.tensor([p[1] for p in pick]),
                     torch.tensor([p[2] for p in pick]), torch.stack([p[3] for p in pick]))
            losses.append(agent.learn(batch))
        if t % 60 == 59:
            print(t, f"return {total:.2f} loss {sum(losses[-20:]) / max(1, len(losses[-20:])):.4f}")


main()
