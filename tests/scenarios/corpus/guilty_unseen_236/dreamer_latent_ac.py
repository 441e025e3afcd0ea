# gradwatch-corpus: kind=graph-held
# holder: self.pending | agent.scribe.pending
# first-bad: 1
"""Toy Dreamer: RSSM world model on a noisy pendulum, actor and critic trained in imagination."""
import argparse
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence


def parse():
    p = argparse.ArgumentParser("dreamer-lite")
    p.add_argument("--deter", type=int, default=32)
    p.add_argument("--stoch", type=int, default=8)
    p.add_argument("--seq", type=int, default=8)
    p.add_argument("--horizon", type=int, default=5)
    p.add_argument("--batch", type=int, default=12)
    p.add_argument("--updates", type=int, default=64)
    p.add_argument("--gamma", type=float, default=0.97)
    p.add_argument("--lam", type=float, default=0.95)
    return p.parse_args([])


class Scribe:
    """Values are only rendered when a summary is asked for, which keeps the hot loop free of syncs."""

    def __init__(self):
        self.pending = deque()

    def later(self, tag, fn):
        self.pending.append((tag, fn))  # <- culprit

    def render(self):
        table = {}
        for tag, fn in self.pending:
            table.setdefault(tag, []).append(fn())
        return {k: sum(v) / len(v) for k, v in table.items()}


class RSSM(nn.Module):
    def __init__(self, obs, act, deter, stoch):
        super().__init__()
        self.deter = deter
        self.stoch = stoch
        self.cell = nn.GRUCell(stoch + act, deter)
        self.prior_net = nn.Linear(deter, 2 * stoch)
        self.post_net = nn.Sequential(nn.Linear(deter + obs, 32), nn.ELU(), nn.Linear(32, 2 * stoch))

    @staticmethod
    def dist(stats):
        mean, raw = stats.chunk(2, dim=-1)
        return Normal(mean, F.softplus(raw) + 0.1)

    def imagine(self, h, z, a):
        h = self.cell(torch.cat([z, a], dim=-1), h)
        return h, self.dist(self.prior_net(h))

    def observe(self, h, z, a, o):
        h, prior = self.imagine(h, z, a)
        return h, prior, self.dist(self.post_net(torch.cat([h, o], dim=-1)))


def pendulum_batch(n, length):
    th = 6.28 * torch.rand(n)
    om = torch.randn(n)
    obs, act, rew = [], [], []
    for _ in range(length):
        a = torch.rand(n, 1) * 2.0 - 1.0
        om = 0.98 * om + 0.3 * th.sin() + 0.4 * a.squeeze(-1)
        th = th + 0.1 * om
        obs.append(torch.stack([th.cos(), th.sin(), om], dim=-1))
        act.append(a)
        rew.append(th.cos() - 0.01 * om.square())
    return torch.stack(obs), torch.stack(act), torch.stack(rew)


class Dreamer:
    def __init__(self, args):
        self.args = args
        feat = args.deter + args.stoch
        self.rssm = RSSM(3, 1, args.deter, args.stoch)
        self.dec = nn.Linear(feat, 3)
        self.rew = nn.Linear(feat, 1)
        self.actor = nn.Sequential(nn.Linear(feat, 32), nn.ELU(), nn.Linear(32, 1), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(feat, 32), nn.ELU(), nn.Linear(32, 1))
        wm = [*self.rssm.parameters(), *self.dec.parameters(), *self.rew.parameters()]
        self.opt_wm = torch.optim.Adam(wm, lr=1e-3)
        self.opt_pi = torch.optim.Adam(self.actor.parameters(), lr=5e-4)
        self.opt_v = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.scribe = Scribe()

    def learn_model(self):
        obs, act, rew = pendulum_batch(self.args.batch, self.args.seq)
        h = torch.zeros(self.args.batch, self.args.deter)
        z = torch.zeros(self.args.batch, self.args.stoch)
        recon = kl = 0.0
        starts = []
        for o, a, r in zip(obs, act, rew):
            h, prior, post = self.rssm.observe(h, z, a, o)
            z = post.rsample()
            feat = torch.cat([h, z], dim=-1)
            recon = recon + F.mse_loss(self.dec(feat), o) + F.mse_loss(self.rew(feat).squeeze(-1), r)
            kl = kl + kl_divergence(post, prior).sum(-1).mean()
            starts.append((h.detach(), z.detach()))
        self.opt_wm.zero_grad()
        (recon + 0.1 * kl).div(self.args.seq).backward()
        self.opt_wm.step()
        recon_value = recon.item() / self.args.seq
        self.scribe.later("recon", lambda: recon_value)
        return starts[-1]

    def learn_behaviour(self, start):
        h, z = start
        feats, rewards = [], []
        for _ in range(self.args.horizon):
            a = self.actor(torch.cat([h, z], dim=-1))
            h, prior = self.rssm.imagine(h, z, a)
            z = prior.rsample()
            feats.append(torch.cat([h, z], dim=-1))
            rewards.append(self.rew(feats[-1]).squeeze(-1))
        values = [self.critic(f).squeeze(-1) for f in feats]
        ret = values[-1]
        returns = []
        for r, v in zip(reversed(rewards), reversed(values)):
            ret = r + self.args.gamma * ((1.0 - self.args.lam) * v + self.args.lam * ret)
            returns.insert(0, ret)
        target = torch.stack(returns)
        self.opt_pi.zero_grad()
        (-target.mean()).backward()
        self.opt_pi.step()
        pred = self.critic(torch.stack(feats).detach()).squeeze(-1)
        v_loss = F.mse_loss(pred, target.detach())
        self.opt_v.zero_grad()
        v_loss.backward()
        self.opt_v.step()
        self.scribe.later("value_loss", lambda: v_loss.item())  # <- culprit
        self.scribe.later("return", lambda: target.mean().item())  # <- culprit


def main():
    args = parse()
    torch.manual_seed(17)
    agent = Dreamer(args)
    for _ in range(args.updates):
        start = agent.learn_model()
        agent.learn_behaviour(start)
    for tag, mean in agent.scribe.render().items():
        print(f"{tag:>12s} {mean:.4f}")


if __name__ == "__main__":
    main()
