# gradwatch-corpus: kind=second-backward
# holder: memory | memory.buf | self.buf | self.memory | self.memory.buf | agent.memory | agent.memory.buf
# first-bad: 3
import random

import numpy as np
import torch

from .agent import Agent
from .world import GridFloor

SEED = 3
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)

EPISODES = 25
MAX_MOVES = 40


def main():
    env = GridFloor(side=6, n_shelves=5)
    agent = Agent(obs_dim=env.obs_dim, n_actions=4, batch_size=4, start_after=240)
    for ep in range(EPISODES):
        obs = env.reset()
        total = 0.0
        for move in range(MAX_MOVES):
            action = agent.act(obs)
            next_obs, reward, done = env.step(action)
            agent.remember(obs, action, reward, next_obs, done)
            loss = agent.learn()
            total += reward
            obs = next_obs
            if done:
                break
        shown = "-" if loss is None else "%.4f" % loss
        print("episode %2d  reward %6.2f  eps %.2f  loss %s  updates %d"
              % (ep, total, agent.eps, shown, agent.updates))


if __name__ == "__main__":
    main()
