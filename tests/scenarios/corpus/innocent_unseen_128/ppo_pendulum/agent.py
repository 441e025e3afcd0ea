import torch
from torch import nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 32), nn.Tanh())
        self.mu, self.v = nn.Linear(32, 1), nn.Linear(32, 1)
        self.log_std = nn.Parameter(torch.full((1,), -0.5))

    def forward(self, obs):
        h = self.body(obs)
        return torch.distributions.Normal(self.mu(h), self.log_std.exp()), self.v(h).squeeze(-1)


class Storage:
    def __init__(self):
        self.obs, self.act, self.logp, self.val, self.rew = [], [], [], [], []

    def add(self, **kw):
        for k, x in kw.items():
            getattr(self, k).append(x)

    def finish(self, last, gamma, lam):
        adv, run, nxt = [], torch.zeros_like(last), last
        for r, v in zip(reversed(self.rew), reversed(self.val)):
            run = r + gamma * nxt - v + gamma * lam * run
            adv.append(run)
            nxt = v
        adv = torch.stack(adv[::-1])
        d = {"obs": self.obs, "act": self.act, "logp": self.logp, "val": self.val}
        d = {k: torch.stack(x).flatten(0, 1) for k, x in d.items()}
        d["adv"] = adv.flatten()
        d["ret"] = d["adv"] + d["val"]
        return d
