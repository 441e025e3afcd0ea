from dataclasses import dataclass

import torch


@dataclass
class Segment:
    h0: torch.Tensor
    obs: torch.Tensor
    starts: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    val: torch.Tensor
    rew: torch.Tensor
    last: torch.Tensor

    def gae(self, gamma=0.97, lam=0.9):
        adv, run, nxt = torch.zeros_like(self.rew), 0.0, self.last
        for t in reversed(range(len(self.rew))):
            alive = 1.0 if t == len(self.rew) - 1 else (~self.starts[t + 1]).float()
            run = self.rew[t] + gamma * alive * nxt - self.val[t] + gamma * lam * alive * run
            adv[t], nxt = run, self.val[t]
        return adv, adv + self.val


class Learner:
    def __init__(self, net, env, horizon=12, epochs=4, parts=2):
        self.net, self.env = net, env
        self.horizon, self.epochs, self.parts = horizon, epochs, parts
        self.h = torch.zeros(env.n, net.width)
        self.start = torch.ones(env.n, dtype=torch.bool)
        self.opt = torch.optim.Adam(net.parameters(), lr=1e-3)
        self.n_steps = 0

    @torch.no_grad()
    def collect(self):
        h0, rows = self.h.clone(), []
        for _ in range(self.horizon):
            o, s = self.env.observe(), self.start
            self.h = self.h * (~s).float()[:, None]
            d, v, self.h = self.net.step(o, self.h)
            a = d.sample()
            r, self.start = self.env.step(a)
            rows.append((o, s, a, d.log_prob(a), v, r))
        last = self.net.step(self.env.observe(), self.h)[1]
        return Segment(h0, *(torch.stack(c) for c in zip(*rows)), last)

    def update(self):
        seg = self.collect()
        adv, ret = seg.gae()
        for _ in range(self.epochs):
            for e in torch.randperm(self.env.n).chunk(self.parts):
                d, v = self.net.replay(seg.obs[:, e], seg.starts[:, e], seg.h0[e])
                ratio = (d.log_prob(seg.act[:, e]) - seg.logp[:, e]).exp()
                a = (adv[:, e] - adv.mean()) / (adv.std() + 1e-6)
                loss = -torch.min(ratio * a, ratio.clamp(0.8, 1.2) * a).mean()
                loss = loss + 0.5 * (v - ret[:, e]).pow(2).mean() - 0.01 * d.entropy().mean()
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.opt.step()
                self.n_steps += 1
        return seg.rew.mean().item()
