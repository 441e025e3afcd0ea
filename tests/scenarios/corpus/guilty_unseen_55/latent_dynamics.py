# gradwatch-corpus: kind=graph-chain
# holder: self.latent.stoch | self.latent | learner.latent | learner.latent.stoch
# first-bad: 13
"""Small recurrent state-space model on a pendulum-like stream."""
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import Optimizer


@dataclass
class Cfg:
    deter: int = 24
    stoch: int = 6
    obs: int = 5
    act: int = 2
    batch: int = 8
    window: int = 3
    warmup: int = 12
    updates: int = 76
    lr: float = 0.01


class Latent(NamedTuple):
    deter: torch.Tensor
    stoch: torch.Tensor

    def feat(self):
        return torch.cat(self, dim=-1)

    def seal(self):
        return self._replace(deter=self.deter.detach())  # <- culprit


class Momentum(Optimizer):
    """Heavy ball, as in the old code base."""

    def __init__(self, params, lr, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["beta"]).add_(p.grad.data)
                p.data.add_(buf, alpha=-group["lr"])


class RSSM(nn.Module):
    def __init__(self, c: Cfg):
        super().__init__()
        self.c = c
        self.cell = nn.GRUCell(c.stoch + c.act, c.deter)
        self.post = nn.Linear(c.deter + c.obs, 2 * c.stoch)
        self.prior = nn.Linear(c.deter, 2 * c.stoch)
        self.decode = nn.Linear(c.deter + c.stoch, c.obs)

    def initial(self):
        return Latent(torch.zeros(self.c.batch, self.c.deter), torch.zeros(self.c.batch, self.c.stoch))

    def observe(self, prev: Latent, obs, act):
        deter = self.cell(torch.cat([prev.stoch, act], -1), prev.deter)
        mu, raw = self.post(torch.cat([deter, obs], -1)).chunk(2, -1)
        pmu, praw = self.prior(deter).chunk(2, -1)
        std, pstd = F.softplus(raw) + 0.1, F.softplus(praw) + 0.1
        cur = Latent(deter, mu + std * torch.randn_like(std))
        kl = (torch.log(pstd / std) + (std**2 + (mu - pmu) ** 2) / (2 * pstd**2) - 0.5).sum(-1).mean()
        return cur, F.mse_loss(self.decode(cur.feat()), obs), kl


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = RSSM(cfg)
        self.opt = Momentum(self.model.parameters(), cfg.lr)
        self.latent = self.model.initial()
        self.updates = 0

    def _hand_on(self, latent):
        if self.updates < self.cfg.warmup:
            self.latent = self.model.initial()
        else:
            self.latent = latent.seal()  # <- culprit

    def update(self, obs, act):
        s, rec, kl = self.latent, 0.0, 0.0
        for t in range(self.cfg.window):
            s, r, k = self.model.observe(s, obs[t], act[t])
            rec, kl = rec + r, kl + k
        loss = (rec + 0.1 * kl) / self.cfg.window
        self.opt.zero_grad()
        loss.backward(retain_graph=self.updates >= self.cfg.warmup)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self._hand_on(s)
        self.updates += 1
        return loss.item()


def stream(cfg):
    phase = torch.rand(cfg.batch, 1) * 6.28
    freq = torch.linspace(0.5, 1.5, cfg.obs)
    while True:
        obs, act = [], []
        for _ in range(cfg.window):
            a = torch.randn(cfg.batch, cfg.act)
            phase = phase + 0.2 + 0.02 * a.sum(-1, keepdim=True)
            obs.append(torch.sin(phase * freq))
            act.append(a)
        yield obs, act


if __name__ == "__main__":
    torch.manual_seed(3)
    cfg = Cfg()
    learner = Learner(cfg)
    for u, (obs, act) in zip(range(cfg.updates), stream(cfg)):
        loss = learner.update(obs, act)
        if u % 10 == 0:
            print(f"update {u:3d}  elbo-loss {loss:.3f}")
