import torch
from torch import nn

from memory import LaneMemory


class RecurrentQAgent:
    def __init__(self, obs_dim, n_actions, lanes, hidden=48, gamma=0.95):
        self.enc = nn.Linear(obs_dim, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.q = nn.Linear(hidden, n_actions)
        self.memory = LaneMemory(lanes, hidden)
        self.gamma, self.n_actions = gamma, n_actions
        self.params = [p for m in (self.enc, self.cell, self.q) for p in m.parameters()]
        self.opt = torch.optim.RMSprop(self.params, lr=1e-3)

    def begin_fragment(self):
        self.qs, self.rs, self.ds = [], [], []

    def _advance(self, obs):
        h = self.cell(torch.relu(self.enc(obs)), self.memory.read())
        self.memory.write(h)
        return self.q(h)

    def act(self, obs, eps):
        q = self._advance(obs)
        greedy = q.detach().argmax(-1)
        explore = torch.rand(len(obs)) < eps
        a = torch.where(explore, torch.randint(0, self.n_actions, greedy.shape), greedy)
        self.qs.append(q.gather(1, a[:, None]).squeeze(1))
        return a

    def record(self, reward, done):
        self.rs.append(reward)
        self.ds.append(done.float())
        self.memory.mask(1.0 - done.float())

    @torch.no_grad()
    def _bootstrap(self, obs):
        h = self.cell(torch.relu(self.enc(obs)), self.memory.read())
        return self.q(h).max(-1).values

    def learn(self, last_obs):
        ret = self._bootstrap(last_obs)
        loss = 0.0
        for q, r, d in zip(reversed(self.qs), reversed(self.rs), reversed(self.ds)):
            ret = r + self.gamma * (1 - d) * ret
            loss = loss + (q - ret).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.params, 5.0)
        self.opt.step()
        return loss.item()
