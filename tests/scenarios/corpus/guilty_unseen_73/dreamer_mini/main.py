# gradwatch-corpus: kind=graph-held
# holder: self._deferred | logger._deferred | self.log._deferred | agent.log._deferred | log._deferred | self._deferred[name] | kl | logger._deferred['model/kl']
# first-bad: 1
# notice: 8
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from logger import Logger
from rssm import RSSM, kl_balance

CFG = dict(
    obs=6, act=2, deter=24, stoch=6, units=32, horizon=5, seq=8, batch=6,
    wm_lr=3e-3, ac_lr=1e-3, gamma=0.95, free_nats=0.5, updates=70, log_every=10, seed=2,
)


class Episodes:
    """Damped oscillators pushed by random actions; reward for being near the origin."""

    def __init__(self, n, length, cfg):
        self.cfg = cfg
        self.a = torch.rand(n, length, cfg["act"]) * 2 - 1
        self.o = torch.zeros(n, length, cfg["obs"])
        mix = 0.5 * torch.randn(cfg["act"], cfg["obs"])
        state = torch.randn(n, cfg["obs"])
        for t in range(length):
            self.o[:, t] = state
            state = 0.9 * state + 0.3 * state.roll(1, 1) * 0.5 + self.a[:, t] @ mix
        self.r = -self.o[..., :2].pow(2).mean(-1)

    def sample(self):
        B, T = self.cfg["batch"], self.cfg["seq"]
        i = torch.randint(0, self.o.size(0), (B,))
        s = random.randrange(self.o.size(1) - T)
        return self.o[i, s:s + T], self.a[i, s:s + T], self.r[i, s:s + T]


def mlp(i, u, o):
    return nn.Sequential(nn.Linear(i, u), nn.ELU(), nn.Linear(u, o))


class Agent:
    def __init__(self, cfg, log):
        self.cfg, self.log = cfg, log
        feat = cfg["deter"] + cfg["stoch"]
        self.rssm = RSSM(cfg)
        self.decoder = mlp(feat, cfg["units"], cfg["obs"])
        self.reward = mlp(feat, cfg["units"], 1)
        self.actor = mlp(feat, cfg["units"], cfg["act"])
        self.critic = mlp(feat, cfg["units"], 1)
        wm = [*self.rssm.parameters(), *self.decoder.parameters(), *self.reward.parameters()]
        self.wm_params = wm
        self.wm_opt = torch.optim.Adam(wm, cfg["wm_lr"])
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), cfg["ac_lr"])
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), cfg["ac_lr"])

    def learn_model(self, obs, act, rew):
        feats, post, prior = self.rssm.observe(obs, act)
        rec = F.mse_loss(self.decoder(feats), obs)
        rp = F.mse_loss(self.reward(feats).squeeze(-1), rew)
        kl = kl_balance(post, prior, self.cfg["free_nats"])
        loss = rec + rp + 0.5 * kl
        self.wm_opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(self.wm_params, 10.0)
        self.wm_opt.step()
        self.log.scalar("model/rec", rec.item())
        self.log.scalar("model/grad_norm", gn.item())
        self.log.deferred("model/kl", lambda: kl.item())  # <- culprit
        return feats.detach()

    def learn_behaviour(self, start):
        for p in self.wm_params:
            p.requires_grad_(False)
        feats = self.rssm.imagine(self.actor, start.flatten(0, 1), self.cfg["horizon"])
        rewards = self.reward(feats[1:]).squeeze(-1)
        with torch.no_grad():
            boot = self.critic(feats[-1]).squeeze(-1)
        ret = boot
        for r in rewards.flip(0):
            ret = r + self.cfg["gamma"] * ret
        actor_loss = -ret.mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
        for p in self.wm_params:
            p.requires_grad_(True)
        value_loss = F.mse_loss(self.critic(feats[0].detach()).squeeze(-1), ret.detach())
        self.critic_opt.zero_grad()
        value_loss.backward()
        self.critic_opt.step()
        self.log.scalar("actor/return", -actor_loss.item())
        self.log.scalar("critic/loss", value_loss.item())

    def update(self, batch):
        self.learn_behaviour(self.learn_model(*batch))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(CFG["seed"])
    random.seed(CFG["seed"])
    with Logger(CFG["log_every"]) as logger:
        agent = Agent(CFG, logger)
        replay = Episodes(32, 40, CFG)
        for _ in range(CFG["updates"]):
            agent.update(replay.sample())
            logger.tick()


if __name__ == "__main__":
    main()
