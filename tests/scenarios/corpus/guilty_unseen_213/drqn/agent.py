import torch
import torch.nn.functional as F
from torch import nn

from base import RecurrentAgent


class QNet(nn.Module):
    def __init__(self, obs_dim, n_actions, hid=32):
        super().__init__()
        self.h0 = nn.Parameter(torch.zeros(hid))
        self.mix = nn.Linear(hid, hid)
        self.enc = nn.Linear(obs_dim, hid)
        self.cell = nn.GRUCell(hid, hid)
        self.q = nn.Linear(hid, n_actions)

    def initial(self, n):
        return torch.tanh(self.mix(self.h0)).expand(n, -1)

    def forward(self, obs, h):
        h = self.cell(torch.relu(self.enc(obs)), h)
        return self.q(h), h

    def unroll(self, obs, h):
        qs = []
        for o in obs:
            q, h = self(o, h)
            qs.append(q)
        return torch.stack(qs)


class DRQNAgent(RecurrentAgent):
    def __init__(self, obs_dim, n_actions, seg_len):
        super().__init__(QNet(obs_dim, n_actions), seg_len)
        self.n_actions = n_actions
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    @torch.no_grad()
    def act(self, obs, eps):
        if self.hidden is None:
            self.hidden = self.net.initial(obs.size(0))
        q, self.hidden = self.net(obs, self.hidden)
        rand = torch.randint(0, self.n_actions, (obs.size(0),))
        return torch.where(torch.rand(obs.size(0)) < eps, rand, q.argmax(1))

    def learn(self):
        segs = self.memory.sample(4)
        obs, act, rew, done = (torch.cat([s[k] for s in segs], 1) for k in ("obs", "act", "rew", "done"))
        h0 = torch.cat([s["h0"] for s in segs])
        q = self.net.unroll(obs, h0).gather(2, act[..., None]).squeeze(2)[:-1]
        with torch.no_grad():
            best = self.target.unroll(obs, h0).amax(2)[1:]
            y = rew[:-1] + 0.97 * (1 - done[:-1]) * best
        loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sync()
        return loss.item()
