# gradwatch-corpus: kind=none
import argparse

import torch

from agent import RecurrentA2C
from corridor import VecCorridor


def run(args):
    torch.manual_seed(args.seed)
    env = VecCorridor(args.envs, length=7, seed=args.seed)
    agent = RecurrentA2C(obs_dim=env.obs_dim, actions=2, hidden=16, args=args)
    obs = env.reset()
    recent = 0.0
    for update in range(1, args.updates + 1):
        for _ in range(args.n_steps):
            action = agent.act(obs)
            obs, reward, done = env.step(action)
            agent.record(reward, done)
            recent += 0.01 * (reward.mean().item() - recent)
        agent.update(obs)
        if update % 60 == 0:
            print(f"update {update}: reward/step {recent:.3f} entropy {agent.last_entropy:.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=240)
    p.add_argument("--n-steps", type=int, default=5)
    p.add_argument("--envs", type=int, default=12)
    p.add_argument("--gamma", type=float, default=0.95)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--seed", type=int, default=3)
    run(p.parse_args())
