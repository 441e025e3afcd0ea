# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Advantage actor-critic on a vectorised pole-balancing toy (homework 3, control course).
Run this file; env.py holds the dynamics, agent.py the networks and the update."""
import torch

from agent import ActorCritic
from env import PoleBatch


def run(iterations=220, horizon=8, n_envs=32, seed=3):
    torch.manual_seed(seed)
    env = PoleBatch(n_envs, seed=seed)
    agent = ActorCritic(env.obs_dim, env.n_actions)
    obs = env.reset()
    length = 0.0
    for it in range(iterations):
        obs, rollout = agent.collect(env, obs, horizon)
        stats = agent.update(rollout)
        length = 0.9 * length + 0.1 * env.mean_length()
        if it % 40 == 0:
            print(f"it {it:4d}  pi {stats['pi']:+.3f}  v {stats['v']:.3f}  "
                  f"H {stats['entropy']:.3f}  len {length:.1f}")
    return agent


if __name__ == "__main__":
    run()
