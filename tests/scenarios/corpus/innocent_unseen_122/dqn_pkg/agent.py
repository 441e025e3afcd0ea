import copy

import torch
from torch import nn

from .replay import Replay


class DQNAgent:
    def __init__(self, n_obs, n_act, gamma=0.95, batch=16, sync_every=50):
        self.q = nn.Sequential(nn.Linear(n_obs, 24), nn.ReLU(), nn.Linear(24, n_act))
        self.q_target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=3e-3)
        self.replay = Replay(200, seed=1)
        self.gamma, self.batch, self.sync_every, self.n_act = gamma, batch, sync_every, n_act
        self.td_ema = 0.0

    def act(self, s, t):
        eps = max(0.05, 1.0 - t / 600)
        if torch.rand(1).item() < eps:
            return int(torch.randint(0, self.n_act, (1,)))
        with torch.no_grad():
            return int(self.q(s).argmax())

    def learn(self, t):
        if len(self.replay) < self.batch:
            return
        s, a, r, s2, d = self.replay.sample(self.batch)
        qsa = self.q(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            target = r + self.gamma * (1 - d) * self.q_target(s2).gather(1, best).squeeze(1)
        td = nn.functional.smooth_l1_loss(qsa, target)
        self.opt.zero_grad()
        td.backward()
        self.opt.step()
        self.td_ema += 0.01 * (td.item() - self.td_ema)
        if t % self.sync_every == 0:
            self.q_target.load_state_dict(self.q.state_dict())
