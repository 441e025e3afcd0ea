import copy
import random

import torch
from torch import nn
from torch.nn import functional as F


class DQNAgent:
    def __init__(self, obs_dim, n_actions, replay, gamma=0.97, tau=0.02):
        self.n_actions, self.gamma, self.tau = n_actions, gamma, tau
        self.replay = replay
        self.q = nn.Sequential(nn.Linear(obs_dim, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, n_actions))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)

    @torch.no_grad()
    def greedy(self, obs):
        return int(self.q(obs).argmax())

    def act(self, obs, epsilon):
        return random.randrange(self.n_actions) if random.random() < epsilon else self.greedy(obs)

    def td_error(self, obs, action, reward, nxt, done):
        q = self.q(obs).gather(1, action[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(nxt).argmax(1, keepdim=True)
            bootstrap = self.target(nxt).gather(1, best).squeeze(1)
            y = reward + self.gamma * (1 - done) * bootstrap
        return q - y

    def learn(self, batch_size):
        slots, batch = self.replay.sample(batch_size)
        delta = self.td_error(*batch)
        loss = F.huber_loss(delta, torch.zeros_like(delta))
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 5.0)
        self.opt.step()
        self.replay.update(slots, delta)  # <- culprit
        with torch.no_grad():
            for t, s in zip(self.target.parameters(), self.q.parameters()):
                t.lerp_(s, self.tau)
        return loss.item()
