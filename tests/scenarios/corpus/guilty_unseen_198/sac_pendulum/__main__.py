# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Soft actor-critic on a small pendulum. python sac_pendulum"""
import random

import torch

from .agent import SAC
from .env import Pendulum


def interact(env, agent, memory, obs):
    act = agent.act(obs)
    nxt, r, done = env.step(act)
    memory.append((obs, act, torch.tensor([r]), nxt))
    return (env.reset() if done else nxt), r


def run(total=450, prefill=40, batch=32, seed=0):
    torch.manual_seed(seed)
    random.seed(seed)
    env, agent, memory = Pendulum(), SAC(3, 1), []
    obs, ret = env.reset(), 0.0
    for _ in range(prefill):
        obs, _ = interact(env, agent, memory, obs)
    for t in range(total):
        obs, r = interact(env, agent, memory, obs)
        ret += r
        picks = [memory[random.randrange(len(memory))] for _ in range(batch)]
        info = agent.update(*[torch.stack(c) for c in zip(*picks)])
        if t % 50 == 0:
            print(t, info, f"return {ret:.1f}")


if __name__ == "__main__":
    run()
