# gradwatch-corpus: kind=none
import argparse

import torch

from agent import DoubleDQN
from highway import LaneEnv
from replay import Replay


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=180)
    p.add_argument("--sync", type=int, default=25)
    a = p.parse_args()
    torch.manual_seed(4)
    env = LaneEnv(cars=8)
    agent = DoubleDQN(env.obs_dim, env.n_actions, Replay(600, seed=4), sync=a.sync)
    obs, rewards = env.reset(), []
    for t in range(a.steps):
        act, q = agent.act(obs, eps=max(0.05, 1 - t / 100))
        nxt, r, done = env.step(act)
        agent.observe(obs, act, r, nxt, done, q)
        agent.learn()
        obs = nxt
        rewards.append(r.mean().item())
    print("reward", round(sum(rewards[:40]) / 40, 3), round(sum(rewards[-40:]) / 40, 3), "replay", len(agent.replay))


if __name__ == "__main__":
    main()
