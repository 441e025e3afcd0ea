import torch
from torch import nn
import torch.nn.functional as F

from .carry import Carry


class QCell(nn.Module):
    def __init__(self, inp, width, actions):
        super().__init__()
        self.cell = nn.LSTMCell(inp, width)
        self.q = nn.Linear(width, actions)

    def forward(self, o, carry):
        h, c = self.cell(o, carry.as_tuple())
        return self.q(h), Carry(h, c)


class Tutor:
    def __init__(self, pool, span, width=16):
        self.pool, self.span = pool, span
        self.net = QCell(2 * pool.skills, width, pool.skills)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.carry = Carry.blank(pool.n, width)
        self.obs = torch.zeros(pool.n, 2 * pool.skills)
        self.eps = 0.3

    def choose(self, q):
        rand = torch.randint(0, self.pool.skills, (self.pool.n,))
        return torch.where(torch.rand(self.pool.n) < self.eps, rand, q.argmax(1))

    def segment(self):
        self.carry = self.carry.cut()
        qs, rewards = [], []
        for _ in range(self.span):
            q, self.carry = self.net(self.obs, self.carry)
            a = self.choose(q.detach())
            self.obs, r, keep = self.pool.ask(a)
            self.carry = self.carry.masked(keep)
            qs.append((q, a))
            rewards.append(r)
        with torch.no_grad():
            boot, _ = self.net(self.obs, self.carry)
        return qs, rewards, boot

    def td_loss(self, qs, rewards, boot):
        loss = 0.0
        ahead = [q.detach() for q, _ in qs[1:]] + [boot]
        for (q, a), r, q_next in zip(qs, rewards, ahead):
            target = r + 0.9 * q_next.max(1).values
            loss = loss + F.smooth_l1_loss(q.gather(1, a[:, None]).squeeze(1), target)
        return loss / len(qs)

    def teach(self, segments):
        for _ in range(segments):
            loss = self.td_loss(*self.segment())
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.opt.step()
        return loss.item()
