# gradwatch-corpus: kind=none
import copy
import random
from collections import deque, namedtuple

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(6)
random.seed(6)
Memory = namedtuple("Memory", "latent action reward nxt")


class CouponAgent:
    def __init__(self, obs=6, actions=4):
        self.torso = nn.Sequential(nn.Linear(obs, 12), nn.Tanh())
        self.q = nn.Linear(12, actions)
        self.q_target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam([*self.torso.parameters(), *self.q.parameters()], 2e-3)
        self.store = deque(maxlen=500)
        self.actions = actions

    def act(self, obs, eps):
        latent = self.torso(obs)
        scores = self.q(latent)
        a = random.randrange(self.actions) if random.random() < eps else int(scores.argmax())
        return latent, scores, a

    def remember(self, latent, a, r, nxt):
        self.store.append(Memory(latent.detach(), a, r, nxt.detach()))

    def learn(self, scores, a, r, nxt):
        goal = r + 0.8 * self.q_target(nxt).max().detach()
        loss = (scores[a] - goal) ** 2
        if len(self.store) >= 32:
            m = random.sample(self.store, 16)
            lat = torch.stack([x.latent for x in m])
            with torch.no_grad():
                tgt = torch.tensor([x.reward for x in m]) + 0.8 * self.q_target(torch.stack([x.nxt for x in m])).max(1).values
            pred = self.q(lat).gather(1, torch.tensor([[x.action] for x in m])).squeeze(1)
            loss = loss + nn.functional.mse_loss(pred, tgt)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    @torch.no_grad()
    def sync(self, tau=0.05):
        for t, s in zip(self.q_target.parameters(), self.q.parameters()):
            t.lerp_(s, tau)


agent, taste = CouponAgent(), torch.randn(6, 4)
obs, total = torch.randn(6), 0.0
for t in range(1600):
    latent, scores, a = agent.act(obs, eps=max(0.05, 1 - t / 600))
    r = float((obs @ taste)[a] > 0.5)
    obs = 0.7 * obs + 0.7 * torch.randn(6)
    with torch.no_grad():
        nxt = agent.torso(obs)
    agent.learn(scores, a, r, nxt)
    agent.remember(latent, a, r, nxt)
    agent.sync()
    total += r
print("reward per visit", total / 1600)
