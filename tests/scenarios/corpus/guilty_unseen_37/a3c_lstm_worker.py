# gradwatch-corpus: kind=graph-chain
# holder: self.cx | agent.cx
# first-bad: 1
from typing import NamedTuple
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Hyper(NamedTuple):
    gamma: float = 0.95
    tau: float = 1.0
    entropy_coef: float = 0.01
    value_coef: float = 0.5
    num_steps: int = 5
    updates: int = 64
    lr: float = 1e-3


class PlainAdam(torch.optim.Optimizer):
    """Adam without amsgrad, after the SharedAdam found in a3c repositories."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["m"] = torch.zeros_like(p.data)
                    st["v"] = torch.zeros_like(p.data)
                st["t"] += 1
                st["m"].mul_(b1).add_(grad, alpha=1 - b1)
                st["v"].mul_(b2).addcmul_(grad, grad, value=1 - b2)
                size = group["lr"] * math.sqrt(1 - b2 ** st["t"]) / (1 - b1 ** st["t"])
                p.data.addcdiv_(st["m"], st["v"].sqrt().add_(group["eps"]), value=-size)


class Corridor:
    def __init__(self, n=9):
        self.n, self.pos = n, n // 2

    def obs(self):
        o = torch.zeros(1, self.n)
        o[0, self.pos] = 1.0
        return o

    def step(self, a):
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a else -1)))
        r = 1.0 if self.pos == self.n - 1 else -0.02
        if self.pos == self.n - 1:
            self.pos = 0
        return self.obs(), r


class Agent(nn.Module):
    def __init__(self, n_obs, n_hid=24):
        super().__init__()
        self.lstm = nn.LSTMCell(n_obs, n_hid)
        self.actor, self.critic = nn.Linear(n_hid, 2), nn.Linear(n_hid, 1)
        self.hx, self.cx = torch.zeros(1, n_hid), torch.zeros(1, n_hid)

    def forward(self, o):
        self.hx, self.cx = self.lstm(o, (self.hx, self.cx))  # <- culprit
        return self.actor(self.hx), self.critic(self.hx)

    def start_segment(self):
        self.hx = self.hx.detach()  # <- culprit


def run(hp: Hyper):
    torch.manual_seed(5)
    env = Corridor()
    agent = Agent(env.n)
    opt = PlainAdam(agent.parameters(), lr=hp.lr)
    o, score = env.obs(), 0.0
    for upd in range(hp.updates):
        agent.start_segment()  # <- culprit
        values, logps, ents, rewards = [], [], [], []
        for _ in range(hp.num_steps):
            logit, v = agent(o)
            p, lp = F.softmax(logit, -1), F.log_softmax(logit, -1)
            a = torch.multinomial(p.detach(), 1)
            o, r = env.step(a.item())
            values.append(v), rewards.append(r)
            logps.append(lp.gather(1, a)), ents.append(-(lp * p).sum())
        R = values[-1].detach()
        pl = vl = torch.zeros(())
        for i in reversed(range(hp.num_steps)):
            R = rewards[i] + hp.gamma * R
            adv = R - values[i]
            vl = vl + 0.5 * adv.pow(2).sum()
            pl = pl - (logps[i] * adv.detach()).sum() - hp.entropy_coef * ents[i]
        opt.zero_grad()
        (pl + hp.value_coef * vl).backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(agent.parameters(), 5.0)
        opt.step()
        score = 0.9 * score + 0.1 * sum(rewards)
        if upd % 16 == 0:
            print(f"update {upd:3d} reward {score:+.3f}")


if __name__ == "__main__":
    run(Hyper())
