# gradwatch-corpus: kind=none
import random

import torch

from rl.agent import DQNAgent
from rl.envs import GridDrift


def main(frames=260, start=20):
    random.seed(0)
    torch.manual_seed(0)
    env, agent = GridDrift(), DQNAgent(6, 4)
    s = env.reset()
    score = 0.0
    for f in range(frames):
        a = agent.act(s, eps=max(0.05, 1 - f / 150))
        s2, r, done = env.step(a)
        agent.memory.push(s, a, r, s2, done)
        score += r
        s = env.reset() if done else s2
        if f >= start:
            agent.optimize()
        if f % 25 == 0:
            agent.sync()
            print(f, round(score, 2), len(agent.memory))


main()
