from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import nn

from buffer import RolloutBuffer


@dataclass
class PPOConfig:
    horizon: int = 32
    epochs: int = 4
    minibatch: int = 64
    gamma: float = 0.98
    lam: float = 0.95
    clip: float = 0.2
    ent: float = 0.01
    vf: float = 0.5
    lr: float = 1e-3


class PPO:
    def __init__(self, net, env, cfg):
        self.net, self.env, self.cfg = net, env, cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr, eps=1e-5)
        self.buffer = RolloutBuffer()
        self.obs = env.reset()

    @torch.no_grad()
    def collect(self):
        c = self.cfg
        self.buffer.clear()
        for _ in range(c.horizon):
            action, logp, _, value = self.net.act(self.obs)
            nxt, reward, done = self.env.step(action)
            self.buffer.add(obs=self.obs, action=action, logp=logp, reward=reward, done=done, value=value)
            self.obs = nxt
        self.buffer.finish(self.net.value(self.obs), c.gamma, c.lam)

    def update(self):
        c = self.cfg
        stats = defaultdict(list)
        for _ in range(c.epochs):
            for mb in self.buffer.minibatches(c.minibatch):
                _, logp, entropy, value = self.net.act(mb["obs"], mb["action"])
                ratio = (logp - mb["logp"]).exp()
                adv = (mb["advantage"] - mb["advantage"].mean()) / (mb["advantage"].std() + 1e-8)
                pg = -torch.min(ratio * adv, ratio.clamp(1 - c.clip, 1 + c.clip) * adv).mean()
                vf = (value - mb["returns"]).pow(2).mean()
                loss = pg + c.vf * vf - c.ent * entropy.mean()
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
                self.opt.step()
                stats["pg"].append(pg.item())
                stats["vf"].append(vf.item())
                stats["entropy"].append(entropy.mean().item())
        out = {k: sum(v) / len(v) for k, v in stats.items()}
        out["reward"] = torch.stack(self.buffer.reward).mean().item()
        return out
