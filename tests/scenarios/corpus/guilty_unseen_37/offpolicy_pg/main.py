# gradwatch-corpus: kind=graph-held
# holder: self.data | replay.data
# first-bad: 1
# also: graph-unused
import random

import torch

from agent import PGAgent
from bandit import ContextBandit
from replay import ReplayMemory, Transition

torch.set_num_threads(1)


class Config:
    steps = 150
    rollout = 8
    batch_size = 32
    capacity = 4000
    clip = 2.0


def main():
    random.seed(4)
    torch.manual_seed(4)
    cfg = Config()
    env = ContextBandit(n_ctx=6, n_arms=4)
    agent = PGAgent(6, 4, lr=5e-3, clip=cfg.clip)
    replay = ReplayMemory(cfg.capacity)
    mean_r = 0.0
    for step in range(cfg.steps):
        for _ in range(cfg.rollout):
            ctx = env.observe()
            action, log_prob = agent.act(ctx)  # <- culprit
            reward = env.pull(ctx, action)
            replay.push(Transition(ctx, action, log_prob, reward))  # <- culprit
            mean_r = 0.98 * mean_r + 0.02 * reward
        loss = agent.update(replay.sample(cfg.batch_size))
        if step % 30 == 0:
            print(f"step {step:4d}  loss {loss:+.4f}  reward {mean_r:.3f}  buffer {len(replay)}")


if __name__ == "__main__":
    main()
