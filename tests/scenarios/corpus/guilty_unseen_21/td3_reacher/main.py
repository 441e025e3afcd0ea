# gradwatch-corpus: kind=inplace-modified
# first-bad: 16
"""Deterministic policy gradient for a point-mass reacher. Config in, returns out; agents are
chosen by name from the registry."""
import torch

import agents  # noqa: F401  (registers)
from common import AGENTS, RunConfig
from replay import RingReplay
from world import ReacherBatch


class Session:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.world = ReacherBatch(cfg.world, seed=cfg.seed)
        self.replay = RingReplay(cfg.replay_size, cfg.world.obs_dim, cfg.world.act_dim)
        self.agent = AGENTS[cfg.agent.name](cfg)

    def collect(self):
        obs = self.world.observe()
        action = self.agent.act(obs, noise=self.cfg.agent.explore)
        reward, nxt = self.world.advance(action)
        self.replay.add(obs, action, reward, nxt)
        return reward.mean().item()

    def run(self):
        smoothed = 0.0
        for step in range(self.cfg.steps):
            smoothed = 0.98 * smoothed + 0.02 * self.collect()
            losses = self.agent.update(self.replay.sample(self.cfg.batch_size), step)
            if step % self.cfg.log_every == 0:
                text = "  ".join(f"{k} {v:.4f}" for k, v in losses.items())
                print(f"{step:4d}  reward {smoothed:.3f}  {text}")


if __name__ == "__main__":
    Session(RunConfig()).run()
