# gradwatch-corpus: kind=none
"""Recurrent PPO on a repeat-previous-symbol task."""
import torch
from torch import nn
from torch.distributions import Categorical


class RecallEnv:
    def __init__(self, n, k=4):
        self.n, self.k = n, k
        self.prev = torch.randint(0, k, (n,))
        self.cur = torch.randint(0, k, (n,))

    def obs(self):
        return torch.eye(self.k)[self.cur]

    def step(self, a):
        r = (a == self.prev).float()
        self.prev, self.cur = self.cur, torch.randint(0, self.k, (self.n,))
        return self.obs(), r


class Policy(nn.Module):
    def __init__(self, k, hid=32):
        super().__init__()
        self.cell = nn.GRUCell(k, hid)
        self.pi, self.v = nn.Linear(hid, k), nn.Linear(hid, 1)

    def forward(self, o, h):
        h = self.cell(o, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.data = {k: [] for k in ("o", "a", "lp", "v", "r")}
        self.h0 = None

    def add(self, **kw):
        for k, v in kw.items():
            self.data[k].append(v)

    def stacked(self):
        return {k: torch.stack(v) for k, v in self.data.items()}


class Runner:
    def __init__(self, n=16, horizon=6):
        self.env, self.policy = RecallEnv(n), Policy(4)
        self.horizon = horizon
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.hidden = torch.zeros(n, 32)
        self.buf = Rollout()

    def collect(self):
        self.buf.clear()
        self.buf.h0 = self.hidden.detach()
        obs, h = self.env.obs(), self.hidden
        for _ in range(self.horizon):
            dist, v, h = self.policy(obs, h)
            a = dist.sample()
            nxt, r = self.env.step(a)
            self.buf.add(o=obs, a=a, lp=dist.log_prob(a), v=v, r=r)
            obs = nxt
        self.hidden = h

    def improve(self, epochs=2, gamma=0.5):
        b = self.buf.stacked()
        ret, g = [], torch.zeros_like(b["r"][0])
        for r in reversed(b["r"]):
            g = r + gamma * g
            ret.insert(0, g)
        ret = torch.stack(ret)
        adv = ret - b["v"]
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        for _ in range(epochs):
            h, lps, vs, ent = self.buf.h0, [], [], []
            for o, a in zip(b["o"], b["a"]):
                dist, v, h = self.policy(o, h)
                lps.append(dist.log_prob(a))
                vs.append(v)
                ent.append(dist.entropy())
            ratio = (torch.stack(lps) - b["lp"]).exp()
            pg = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            loss = pg + 0.5 * (torch.stack(vs) - ret).pow(2).mean() - 0.01 * torch.stack(ent).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return b["r"].mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    runner = Runner()
    for it in range(100):
        with torch.no_grad():
            runner.collect()
        score = runner.improve()
        if it % 20 == 0:
            print(it, round(score, 3))
