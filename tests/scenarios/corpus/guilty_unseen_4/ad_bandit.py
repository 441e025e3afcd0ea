# gradwatch-corpus: kind=graph-chain
# holder: self.trail | agent.trail
# first-bad: 1
"""Gradient bandit for banner selection with a linear context policy.

Sessions are short; the policy is updated at the end of every session with
return-minus-baseline weights, as in the lecture notes (ch. 2.8 and 13.4).
"""
import random
from types import SimpleNamespace

import torch
import torch.nn.functional as F

CFG = SimpleNamespace(arms=12, ctx=8, session=5, sessions=240, lr=0.02, seed=31)


class Visitors:
    def __init__(self, cfg):
        g = torch.Generator().manual_seed(cfg.seed)
        self.taste = torch.randn(cfg.arms, cfg.ctx, generator=g)
        self.g, self.cfg = g, cfg

    def arrive(self):
        return torch.randn(self.cfg.ctx, generator=self.g)

    def click(self, ctx, arm):
        p = torch.sigmoid(self.taste[arm] @ ctx)
        return float(torch.rand((), generator=self.g) < p)


class BannerPolicy:
    def __init__(self, cfg):
        self.cfg = cfg
        self.pref = torch.zeros(cfg.arms, cfg.ctx, requires_grad=True)
        self.opt = torch.optim.SGD([self.pref], lr=cfg.lr)
        self.trail = []
        self.clicks = []
        self.baseline = 0.5

    def choose(self, ctx):
        logp = F.log_softmax(self.pref @ ctx, dim=0)
        arm = int(torch.multinomial(logp.detach().exp(), 1))
        self.trail.append(logp[arm])  # <- culprit
        return arm

    def observe(self, r):
        self.clicks.append(r)
        self.baseline += 0.01 * (r - self.baseline)

    def end_session(self):
        adv = torch.tensor(self.clicks) - self.baseline
        surrogate = -(adv * torch.stack(self.trail)).mean()
        self.opt.zero_grad()
        surrogate.backward(retain_graph=True)
        self.opt.step()
        return surrogate.item()


def simulate(cfg):
    random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)
    world, agent = Visitors(cfg), BannerPolicy(cfg)
    ctr = []
    for n in range(1, cfg.sessions + 1):
        hits = 0.0
        for _ in range(cfg.session):
            ctx = world.arrive()
            r = world.click(ctx, agent.choose(ctx))
            agent.observe(r)
            hits += r
        val = agent.end_session()
        ctr.append(hits / cfg.session)
        if n % 60 == 0:
            print(f"session {n:4d} ctr(last 60) {sum(ctr[-60:]) / 60:.3f} surrogate {val:+.4f}")


if __name__ == "__main__":
    simulate(CFG)
