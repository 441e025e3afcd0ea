# gradwatch-corpus: kind=none
"""Double DQN for a gripper on a small grid; the replay memory fills up to its capacity."""
import argparse
import random

import torch

from grid import GripperGrid
from learner import DoubleDQN
from memory import ReplayMemory


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=300)
    p.add_argument("--capacity", type=int, default=120)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--warmup", type=int, default=20)
    p.add_argument("--sync-every", type=int, default=25)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(6)
    rng = random.Random(6)
    grid = GripperGrid(5, rng)
    memory = ReplayMemory(args.capacity, rng)
    dqn = DoubleDQN(obs_dim=grid.obs_dim, actions=grid.actions)
    obs, td_sum, reward_sum = grid.reset(), 0.0, 0.0
    for step in range(args.steps):
        eps = max(0.1, 1.0 - step / 150)
        action = rng.randrange(grid.actions) if rng.random() < eps else dqn.greedy(obs)
        nxt, reward, done = grid.step(action)
        memory.push(obs, action, reward, nxt, done)
        obs = grid.reset() if done else nxt
        reward_sum += reward
        if len(memory) >= args.warmup:
            td_sum += dqn.learn(memory.sample(args.batch))
        if (step + 1) % args.sync_every == 0:
            dqn.sync()
        if (step + 1) % 50 == 0:
            print(f"step {step + 1} memory {len(memory)} td {td_sum / 50:.4f} reward {reward_sum:.2f}")
            td_sum = reward_sum = 0.0


if __name__ == "__main__":
    main()
