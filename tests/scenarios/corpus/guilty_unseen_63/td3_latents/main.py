# gradwatch-corpus: kind=second-backward
# holder: latent
# first-bad: 1
# notice: 0
"""Reaching task for a 2-link arm: TD3-like agent on a shared observation encoder."""
import argparse

import torch

from agent import Agent
from arm import ArmBatch


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--iterations", type=int, default=120)
    p.add_argument("--envs", type=int, default=32)
    p.add_argument("--policy-delay", type=int, default=2)
    p.add_argument("--seed", type=int, default=3)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)

    arm = ArmBatch(args.envs)
    agent = Agent(obs_dim=arm.obs_dim, act_dim=arm.act_dim, policy_delay=args.policy_delay)
    obs = arm.reset()
    avg_reward = None
    for it in range(args.iterations):
        action = agent.act(obs, noise=0.2)
        next_obs, reward = arm.step(action)
        stats = agent.update(obs, action, reward, next_obs)
        obs = next_obs
        r = reward.mean().item()
        avg_reward = r if avg_reward is None else 0.95 * avg_reward + 0.05 * r
        if it % 20 == 0:
            print(it, f"reward {avg_reward:.3f}", {k: round(v, 4) for k, v in stats.items()})
        if (it + 1) % 30 == 0:
            obs = arm.reset()


if __name__ == "__main__":
    main()
