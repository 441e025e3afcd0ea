# gradwatch-corpus: kind=none
import copy
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class RecurrentQ(nn.Module):
    def __init__(self, obs=2, act=2, hid=32):
        super().__init__()
        self.enc = nn.Linear(obs, hid)
        self.rnn = nn.LSTM(hid, hid)
        self.adv, self.val = nn.Linear(hid, act), nn.Linear(hid, 1)
        self.state0 = nn.Parameter(torch.zeros(2, 1, 1, hid))

    def initial(self, n):
        return tuple(self.state0.expand(-1, -1, n, -1))

    def forward(self, x, state):
        z, state = self.rnn(torch.relu(self.enc(x)), state)
        a = self.adv(z)
        return self.val(z) + a - a.mean(-1, keepdim=True), state


class CopyTask:
    """Reward for repeating the bit that was seen three steps before."""

    def __init__(self, n):
        self.n = n
        self.bits = deque([torch.zeros(n, dtype=torch.long)] * 4, maxlen=4)

    def observe(self):
        return F.one_hot(self.bits[-1], 2).float()

    def step(self, a):
        r = (a == self.bits[0]).float()
        self.bits.append(torch.randint(0, 2, (self.n,)))
        return r


class R2D2:
    def __init__(self, n=8, length=10, burn=3):
        self.n, self.length, self.burn = n, length, burn
        self.q = RecurrentQ()
        self.qt = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.replay = deque(maxlen=60)
        self.state = self.q.initial(n)

    def rollout(self, env, eps):
        start = tuple(s.detach() for s in self.state)
        xs, acts, rs = [], [], []
        for _ in range(self.length):
            x = env.observe()
            with torch.no_grad():
                qv, self.state = self.q(x[None], self.state)
            a = torch.where(torch.rand(self.n) < eps, torch.randint(0, 2, (self.n,)), qv[0].argmax(-1))
            xs.append(x), acts.append(a), rs.append(env.step(a))
        self.replay.append((torch.stack(xs), torch.stack(acts), torch.stack(rs), start))
        return torch.stack(rs).mean().item()

    def learn(self):
        xs, acts, rs, start = random.choice(self.replay)
        with torch.no_grad():
            _, warm = self.q(xs[:self.burn], start)
            _, warm_t = self.qt(xs[:self.burn], start)
            qn, _ = self.qt(xs[self.burn:], warm_t)
        q, _ = self.q(xs[self.burn:], warm)
        taken = q.gather(-1, acts[self.burn:, :, None]).squeeze(-1)[:-1]
        y = rs[self.burn:-1] + 0.5 * qn.amax(-1)[1:]
        cold, _ = self.q(xs[:2], self.q.initial(self.n))
        td = y - taken
        loss = F.huber_loss(taken, y) + 1e-3 * cold.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.qt.parameters()), list(self.q.parameters()), 0.05)
        return td.detach().abs().mean()


if __name__ == "__main__":
    random.seed(1), torch.manual_seed(1)
    env, agent = CopyTask(8), R2D2()
    tds = deque(maxlen=20)
    for it in range(120):
        ret = agent.rollout(env, max(0.05, 0.6 - it / 100))
        tds.append(agent.learn())
        if it % 30 == 0:
            print(it, f"return {ret:.3f} td {torch.stack(list(tds)).mean():.4f}")
