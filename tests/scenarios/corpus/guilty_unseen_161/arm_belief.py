# gradwatch-corpus: kind=graph-chain
# holder: self.belief | agent.belief | self.filter.belief | filt.belief
# first-bad: 1
# notice: 5
"""Leaky belief filter over joint readings of a 6-dof arm, trained online."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Cfg:
    joints: int = 6
    hidden: int = 20
    leak: float = 0.9
    lr: float = 0.01
    ticks: int = 100
    log_every: int = 20


class LeakyFilter(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Linear(cfg.joints * 2, cfg.hidden)
        self.belief = None

    def reset(self):
        self.belief = torch.zeros(1, self.cfg.hidden)

    def forward(self, obs):
        if self.belief is None:
            self.reset()
        self.belief = self.cfg.leak * self.belief + (1 - self.cfg.leak) * self.embed(obs)  # <- culprit
        return self.belief


class ArmSim:
    def __init__(self, joints):
        self.q = torch.zeros(joints)
        self.dq = torch.zeros(joints)

    def tick(self):
        torque = torch.randn_like(self.q)
        self.dq = 0.95 * self.dq + 0.1 * torque
        self.q = self.q + 0.05 * self.dq
        reading = torch.cat([self.q + 0.02 * torch.randn_like(self.q), torque])
        return reading.unsqueeze(0), self.dq.unsqueeze(0).clone()


class OnlineLearner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.filter = LeakyFilter(cfg)
        self.head = nn.Sequential(nn.LayerNorm(cfg.hidden), nn.Linear(cfg.hidden, cfg.joints))
        params = [*self.filter.parameters(), *self.head.parameters()]
        self.opt = torch.optim.SGD(params, lr=cfg.lr, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.ticks)

    def learn(self, obs, target):
        pred = self.head(self.filter(obs))
        loss = (pred - target).pow(2).mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        self.sched.step()
        return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    cfg = Cfg()
    sim, agent = ArmSim(cfg.joints), OnlineLearner(cfg)
    for t in range(cfg.ticks):
        obs, dq = sim.tick()
        mse = agent.learn(obs, dq)
        if t % cfg.log_every == 0:
            print(f"tick {t:3d} mse {mse:.5f}")


if __name__ == "__main__":
    main()
