import copy
import random

import torch
from torch import nn


class Agent:
    def act(self, obs, eps):
        raise NotImplementedError

    def learn(self, buffer, batch_size, beta):
        raise NotImplementedError


class DoubleDQN(Agent):
    def __init__(self, obs_dim, n_actions, gamma, lr, sync_every):
        self.q = nn.Sequential(nn.Linear(obs_dim, 64), nn.ReLU(),
                               nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, n_actions))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.n_actions, self.gamma, self.sync_every = n_actions, gamma, sync_every
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.updates = 0

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_actions)
        return int(self.q(torch.tensor(obs)).argmax())

    def td_error(self, b):
        q = self.q(b.obs).gather(1, b.act[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(b.nxt).argmax(1, keepdim=True)
            y = b.rew + self.gamma * (1 - b.done) * self.target(b.nxt).gather(1, best).squeeze(1)
        return y - q

    def learn(self, buffer, batch_size, beta):
        b = buffer.sample(batch_size, beta)
        td = self.td_error(b)
        loss = (b.weight * td.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        buffer.feedback(b.idx, td)  # <- culprit
        self.updates += 1
        if self.updates % self.sync_every == 0:
            self.target.load_state_dict(self.q.state_dict())
        return loss.item()
