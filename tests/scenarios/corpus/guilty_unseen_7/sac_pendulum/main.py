# gradwatch-corpus: kind=graph-held
# holder: self._ring | memory._ring | self.memory._ring | runner.memory._ring
# first-bad: 1
# also: graph-unused
"""Soft actor critic on a hand written pendulum, one joint optimizer for policy and twin critics."""
import argparse
import random

import torch

from agent import SoftAgent
from buffer import Experience, Transition
from env import Pendulum


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.env = Pendulum(cfg.seed)
        self.agent = SoftAgent(3, 1, lr=cfg.lr)
        self.memory = Experience(cfg.capacity)

    def explore(self, obs):
        """uniform actions, as in spinning up (start_steps)"""
        u = torch.rand(1) * 2 - 1
        return u, torch.tensor(-0.6931)

    def run(self):
        memory = self.memory
        obs = self.env.reset()
        ep_ret, ep_len, returns = 0.0, 0, []
        for step in range(self.cfg.start_steps + self.cfg.train_steps):
            warm = step < self.cfg.start_steps
            act, logp = self.explore(obs) if warm else self.agent.act(obs)
            nxt, rew, end = self.env.step(float(act))
            memory.push(Transition(obs, act, logp, rew, nxt, end))  # <- culprit
            ep_ret, ep_len = ep_ret + rew, ep_len + 1
            obs = nxt
            if end:
                returns.append(ep_ret)
                ep_ret, ep_len = 0.0, 0
                obs = self.env.reset()
            if not warm:
                stats = self.agent.update(memory.draw(self.cfg.batch))
                if step % 50 == 0:
                    last = returns[-1] if returns else float("nan")
                    print(f"{step:5d} q={stats['q']:.3f} pi={stats['pi']:.3f} "
                          f"alpha={stats['alpha']:.3f} H={-memory.mean_logp(200):.2f} ret={last:.1f}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=3)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--capacity", type=int, default=20000)
    ap.add_argument("--start-steps", type=int, default=100)
    ap.add_argument("--train-steps", type=int, default=400)
    cfg = ap.parse_args()
    random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)
    runner = Runner(cfg)
    runner.run()


if __name__ == "__main__":
    main()
