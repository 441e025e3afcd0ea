import copy

import torch
from torch import nn
import torch.nn.functional as F


class Dueling(nn.Module):
    def __init__(self, obs, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 48), nn.ReLU())
        self.v, self.a = nn.Linear(48, 1), nn.Linear(48, n)

    def forward(self, x):
        h = self.body(x)
        a = self.a(h)
        return self.v(h) + a - a.mean(1, keepdim=True)


class DoubleDQN:
    def __init__(self, obs, n, replay, sync, gamma=0.9):
        self.net, self.n, self.replay = Dueling(obs, n), n, replay
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.sync, self.gamma, self.updates = sync, gamma, 0

    @torch.no_grad()
    def act(self, obs, eps):
        q = self.net(obs)
        a = q.argmax(1)
        rnd = torch.randint(0, self.n, a.shape)
        return torch.where(torch.rand(a.shape) < eps, rnd, a), q.max(1).values

    def observe(self, *cols):
        self.replay.add_batch(*cols)

    def learn(self, n=64):
        b = self.replay.sample(n)
        q = self.net(b.obs).gather(1, b.act[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.net(b.nxt).argmax(1, keepdim=True)
            boot = self.target(b.nxt).gather(1, best).squeeze(1)
            y = b.rew + self.gamma * boot * (~b.done)
        loss = (F.smooth_l1_loss(q, y, reduction="none") * (1 + (b.q - y).abs().clamp(max=1))).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.net.state_dict())
