import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class QNet(nn.Module):
    def __init__(self, obs_dim, actions, hidden=24):
        super().__init__()
        self.enc = nn.Linear(obs_dim, hidden)
        self.gru = nn.GRUCell(hidden, hidden)
        self.adv = nn.Linear(hidden, actions)
        self.val = nn.Linear(hidden, 1)

    def blank(self, n):
        return torch.zeros(n, self.gru.hidden_size)

    def forward(self, obs, h):
        h = self.gru(F.elu(self.enc(obs)), h)
        a = self.adv(h)
        return self.val(h) + a - a.mean(-1, keepdim=True), h

    def unroll(self, obs, h):
        out = []
        for o in obs:
            q, h = self(o, h)
            out.append(q)
        return torch.stack(out)


class Agent:
    def __init__(self, obs_dim, actions, gamma=0.9, tau=0.02):
        self.net = QNet(obs_dim, actions)
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.RAdam(self.net.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau
        self.eps = 1.0
        self._td = deque(maxlen=25)

    def explore(self, q):
        greedy = q.argmax(-1)
        rand = torch.randint(q.size(-1), greedy.shape)
        return torch.where(torch.rand(greedy.shape) < self.eps, rand, greedy)

    def learn(self, chunk):
        obs, act, rew, h0 = chunk
        q = self.net.unroll(obs, h0)
        chosen = q.gather(-1, act[..., None]).squeeze(-1)[:-1]
        best = q.argmax(-1, keepdim=True)
        boot = self.target.unroll(obs, h0).gather(-1, best).squeeze(-1)[1:]
        td = rew[:-1] + self.gamma * boot - chosen
        loss = F.huber_loss(td, torch.zeros_like(td))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self._td.append(td.abs().mean())
        self.eps = max(0.1, self.eps * 0.99)
        with torch.no_grad():
            for t, s in zip(self.target.parameters(), self.net.parameters()):
                t.lerp_(s, self.tau)

    def recent_td(self):
        return torch.stack(tuple(self._td)).mean().item()
