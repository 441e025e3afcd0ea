# gradwatch-corpus: kind=crashed
# holder: logp | agent.act
# first-bad: 60
# notice: 0
"""Warm-started PPO for a picker robot in a one-aisle warehouse."""
import torch

torch.set_num_threads(1)

from agent import PickerAgent
from aisle import AisleEnv
from rollout import collect


class Config:
    seed = 3
    clone_steps = 60
    ppo_rounds = 80
    horizon = 32
    epochs = 3
    minibatch = 64
    clip = 0.2
    gamma, lam = 0.97, 0.9


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.env = AisleEnv(n=8, length=12)
        self.agent = PickerAgent(self.env.obs_dim, self.env.n_actions)
        self.opt = torch.optim.Adam(self.agent.parameters(), lr=2e-3, eps=1e-5)

    def warm_start(self):
        obs = self.env.reset()
        for _ in range(self.cfg.clone_steps):
            expert = self.env.greedy_actions()
            dist, value = self.agent(obs)
            loss = -dist.log_prob(expert).mean() + 0.1 * value.pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            obs, _, _ = self.env.step(expert)

    def improve(self, batch):
        c = self.cfg
        for _ in range(c.epochs):
            perm = torch.randperm(batch.obs.shape[0])
            for idx in perm.split(c.minibatch):
                loss = self._surrogate(batch.take(idx))
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.opt.step()

    def _surrogate(self, mb):
        _, logp, entropy, value = self.agent.act(mb.obs, mb.action)
        ratio = (logp - mb.logp).exp()
        adv = (mb.adv - mb.adv.mean()) / (mb.adv.std() + 1e-6)
        pg = -torch.min(ratio * adv, ratio.clamp(1 - self.cfg.clip, 1 + self.cfg.clip) * adv).mean()
        return pg + 0.5 * (value - mb.ret).pow(2).mean() - 0.01 * entropy.mean()

    def run(self):
        self.warm_start()
        for r in range(self.cfg.ppo_rounds):
            self.improve(collect(self.env, self.agent, self.cfg))


if __name__ == "__main__":
    torch.manual_seed(Config.seed)
    Runner(Config()).run()
