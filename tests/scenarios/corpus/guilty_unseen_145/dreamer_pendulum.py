# gradwatch-corpus: kind=second-backward
# holder: world.h | self.h
# first-bad: 1
# notice: 0
import math

import torch

torch.set_num_threads(1)
import torch.nn as nn
import torch.distributions as td


class RSSM(nn.Module):
    def __init__(self, obs=3, act=1, deter=16, stoch=4):
        super().__init__()
        self.cell = nn.GRUCell(stoch + act, deter)
        self.prior_net = nn.Linear(deter, 2 * stoch)
        self.post_net = nn.Linear(deter + obs, 2 * stoch)
        self.decode = nn.Linear(deter + stoch, obs)
        self.deter, self.stoch = deter, stoch
        self.h = None

    @staticmethod
    def normal(stats):
        m, s = stats.chunk(2, -1)
        return td.Independent(td.Normal(m, nn.functional.softplus(s) + 0.1), 1)

    def observe(self, obs, act):
        h = self.h if self.h is not None else obs.new_zeros(obs.shape[1], self.deter)
        z = obs.new_zeros(obs.shape[1], self.stoch)
        recon = kl = 0.0
        for o, a in zip(obs, act):
            h = self.cell(torch.cat([z, a], -1), h)
            prior, post = self.normal(self.prior_net(h)), self.normal(self.post_net(torch.cat([h, o], -1)))
            z = post.rsample()
            kl = kl + td.kl_divergence(post, prior).mean()
            recon = recon + ((self.decode(torch.cat([h, z], -1)) - o) ** 2).sum(-1).mean()
        self.h = h  # <- culprit
        return recon, kl


def stream(chunks, T=6, B=4):
    th, om = torch.rand(B) * 2 * math.pi, torch.zeros(B)
    for _ in range(chunks):
        obs, act = [], []
        for _ in range(T):
            u = torch.randn(B)
            om = 0.98 * om + 0.05 * (-9.8 * th.sin() * 0.3 + u)
            th = th + 0.05 * om
            obs.append(torch.stack([th.cos(), th.sin(), om], -1))
            act.append(u[:, None])
        yield torch.stack(obs), torch.stack(act)


torch.manual_seed(0)
world = RSSM()
model_opt = torch.optim.Adam(world.parameters(), lr=3e-3)
for i, (obs, act) in enumerate(stream(200)):
    recon, kl = world.observe(obs, act)
    model_loss = recon + 0.1 * torch.clamp(kl, min=1.0)
    model_opt.zero_grad()
    model_loss.backward()
    nn.utils.clip_grad_norm_(world.parameters(), 10.0)
    model_opt.step()
    print(i, model_loss.item())
