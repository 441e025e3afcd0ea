import torch
from torch import nn
from torch.distributions import Bernoulli

from .field import Field
from .rollout import EpisodeSummary, Rollout, Tracker


class ValveNet(nn.Module):
    def __init__(self, plots):
        super().__init__()
        self.core = nn.Sequential(nn.Linear(plots + 1, 24), nn.ReLU())
        self.valve = nn.Linear(24, plots)
        self.worth = nn.Linear(24, 1)

    def forward(self, o):
        z = self.core(o)
        return Bernoulli(logits=self.valve(z)), self.worth(z).squeeze(-1)


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.field = Field(cfg.plots, cfg.horizon)
        self.net = ValveNet(cfg.plots)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=cfg.lr)
        self.tracker = Tracker()

    def play(self):
        roll, obs, over = Rollout(), self.field.reset(), False
        while not over:
            dist, v = self.net(obs)
            a = dist.sample()
            roll.logps.append(dist.log_prob(a).sum())
            roll.entropies.append(dist.entropy().mean())
            roll.values.append(v)
            obs, r, over = self.field.step(a)
            roll.rewards.append(r)
        return roll

    def update(self, roll):
        ret = roll.returns(self.cfg.gamma)
        val = torch.stack(roll.values)
        adv = ret - val
        ent = torch.stack(roll.entropies).mean()
        loss = -(torch.stack(roll.logps) * adv.detach()).mean()
        loss = loss + self.cfg.value_coef * adv.pow(2).mean() - self.cfg.entropy_coef * ent
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.tracker.add(EpisodeSummary(sum(roll.rewards), len(roll.rewards), ent))  # <- culprit

    def learn(self):
        for ep in range(1, self.cfg.episodes + 1):
            self.update(self.play())
            if ep % self.cfg.report == 0:
                print(ep, "score %.3f entropy %.3f" % self.tracker.recent(self.cfg.report))
