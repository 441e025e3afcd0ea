# gradwatch-corpus: kind=none
"""Recurrent PPO on a memory corridor: truncated BPTT over stored hidden states, GAE, return scaling, adaptive KL."""
from collections import deque
from typing import NamedTuple

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Step(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    value: torch.Tensor
    reward: torch.Tensor
    done: torch.Tensor


class Corridor:
    """The cue is shown at the first step only, the turn is asked for at the last."""

    def __init__(self, n=16, length=6):
        self.n, self.length = n, length
        self.t = torch.zeros(n, dtype=torch.long)
        self.cue = torch.randint(0, 2, (n,))

    def obs(self):
        o = torch.zeros(self.n, 4)
        first, last = self.t == 0, self.t == self.length - 1
        o[first, self.cue[first]] = 1.0
        o[last, 2] = 1.0
        o[:, 3] = self.t / self.length
        return o

    def step(self, a):
        done = self.t == self.length - 1
        rew = torch.where(done, (a == self.cue).float() * 2 - 1, -0.01 * (a == 2).float())
        self.t = torch.where(done, 0, self.t + 1)
        self.cue = torch.where(done, torch.randint(0, 2, (self.n,)), self.cue)
        return self.obs(), rew, done.float()


class GRUPolicy(nn.Module):
    def __init__(self, obs=4, hid=24, act=3):
        super().__init__()
        self.cell = nn.GRUCell(obs, hid)
        self.pi, self.v = nn.Linear(hid, act), nn.Linear(hid, 1)
        self.hid = hid

    def forward(self, o, h):
        h = self.cell(o, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h

    def unroll(self, obs, done, h):
        dists, vals = [], []
        for o, d in zip(obs, done):
            dist, v, h = self(o, h)
            dists.append(dist.logits)
            vals.append(v)
            h = h * (1 - d).unsqueeze(-1)
        return Categorical(logits=torch.stack(dists)), torch.stack(vals)


class ReturnScaler:
    def __init__(self):
        self.mean, self.var, self.count = 0.0, 1.0, 1e-4

    def update(self, x):
        m, v, n = x.mean().item(), x.var().item(), x.numel()
        delta, tot = m - self.mean, self.count + n
        self.mean += delta * n / tot
        self.var = (self.var * self.count + v * n + delta ** 2 * self.count * n / tot) / tot
        self.count = tot

    @property
    def std(self):
        return max(self.var, 1e-6) ** 0.5


class Learner:
    def __init__(self, env, policy, horizon=9, epochs=2):
        self.env, self.policy, self.horizon, self.epochs = env, policy, horizon, epochs
        self.opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
        self.state = torch.zeros(env.n, policy.hid)
        self.obs = env.obs()
        self.scaler, self.kl_coef = ReturnScaler(), 0.2
        self.recent = deque(maxlen=200)

    def rollout(self):
        buf, h0 = [], self.state
        with torch.no_grad():
            for _ in range(self.horizon):
                dist, v, h = self.policy(self.obs, self.state)
                a = dist.sample()
                nxt, r, d = self.env.step(a)
                buf.append(Step(self.obs, a, dist.log_prob(a), v, r, d))
                self.recent.extend(r[d > 0].tolist())
                self.obs, self.state = nxt, h * (1 - d).unsqueeze(-1)
            last = self.policy(self.obs, self.state)[1]
        return Step(*map(torch.stack, zip(*buf))), h0, last

    def advantages(self, b, last, gamma=0.98, lam=0.95):
        scale, adv, run = self.scaler.std, [], 0.0
        nxt = last * scale
        for t in range(self.horizon - 1, -1, -1):
            v = b.value[t] * scale
            delta = b.reward[t] + gamma * nxt * (1 - b.done[t]) - v
            run = delta + gamma * lam * (1 - b.done[t]) * run
            adv.insert(0, run)
            nxt = v
        adv = torch.stack(adv)
        ret = adv + b.value * scale
        self.scaler.update(ret)
        return (adv - adv.mean()) / (adv.std() + 1e-8), ret / self.scaler.std

    def learn(self):
        b, h0, last = self.rollout()
        adv, ret = self.advantages(b, last)
        for _ in range(self.epochs):
            dist, val = self.policy.unroll(b.obs, b.done, h0)
            logp = dist.log_prob(b.act)
            ratio = (logp - b.logp).exp()
            surr = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            kl = (b.logp - logp + ratio - 1).mean()
            loss = -surr + 0.5 * (val - ret).pow(2).mean() + self.kl_coef * kl - 0.01 * dist.entropy().mean()
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
            self.opt.step()
        k = kl.item()
        self.kl_coef = min(max(self.kl_coef * (1.5 if k > 0.02 else 0.7 if k < 0.005 else 1.0), 1e-3), 5.0)
        return k


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    learner = Learner(Corridor(), GRUPolicy())
    for u in range(165):
        kl = learner.learn()
        if u % 30 == 29:
            print(f"update {u + 1} success {sum(r > 0 for r in learner.recent) / len(learner.recent):.2f} "
                  f"kl {kl:.4f} coef {learner.kl_coef:.3f} scale {learner.scaler.std:.2f}")


if __name__ == "__main__":
    main()
