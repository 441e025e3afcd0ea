import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(*dims):
    layers = []
    for a, b in zip(dims[:-1], dims[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class SquashedPolicy(nn.Module):
    def __init__(self, o, a):
        super().__init__()
        self.net = mlp(o, 64, 64, 2 * a)

    def forward(self, o):
        mean, log_std = self.net(o).chunk(2, -1)
        std = log_std.clamp(-5, 2).exp()
        raw = mean + std * torch.randn_like(mean)
        logp = (-0.5 * ((raw - mean) / std) ** 2 - std.log() - 0.5 * math.log(2 * math.pi)).sum(-1)
        logp = logp - (2 * (math.log(2) - raw - F.softplus(-2 * raw))).sum(-1)
        return torch.tanh(raw), logp


class SoftAgent:
    def __init__(self, o, a, lr, gamma=0.98, tau=0.01):
        self.pi = SquashedPolicy(o, a)
        self.q = nn.ModuleList([mlp(o + a, 64, 64, 1) for _ in range(2)])
        self.q_slow = copy.deepcopy(self.q).requires_grad_(False)
        self.log_alpha = nn.Parameter(torch.tensor(-1.0))
        self.gamma, self.tau = gamma, tau
        self.opt = torch.optim.Adam([*self.pi.parameters(), *self.q.parameters(), self.log_alpha], lr=lr)

    def act(self, obs):
        a, lp = self.pi(obs.unsqueeze(0))
        return a.detach()[0], lp[0]  # <- culprit

    @staticmethod
    def _min(nets, o, a):
        x = torch.cat([o, a], -1)
        return torch.minimum(nets[0](x), nets[1](x)).squeeze(-1)

    def update(self, b):
        alpha = self.log_alpha.exp()
        with torch.no_grad():
            na, nlp = self.pi(b["nxt"])
            y = b["rew"] + self.gamma * (1 - b["end"]) * (self._min(self.q_slow, b["nxt"], na) - alpha * nlp)
        x = torch.cat([b["obs"], b["act"]], -1)
        q_loss = sum(F.smooth_l1_loss(net(x).squeeze(-1), y) for net in self.q)
        a, lp = self.pi(b["obs"])
        pi_loss = (alpha.detach() * lp - self._min(self.q_slow, b["obs"], a)).mean()
        temp_loss = -(self.log_alpha * (lp.detach() - 1.0)).mean()
        self.opt.zero_grad(set_to_none=True)
        (q_loss + pi_loss + temp_loss).backward()
        self.opt.step()
        with torch.no_grad():
            for slow, fast in zip(self.q_slow.parameters(), self.q.parameters()):
                slow.lerp_(fast, self.tau)
        return {"q": q_loss.item(), "pi": pi_loss.item(), "alpha": alpha.item()}
