# gradwatch-corpus: kind=none
import random

import torch

from .dqn import Dqn
from .world import Grid


def main():
    torch.manual_seed(14)
    random.seed(14)
    torch.set_num_threads(1)
    env, agent = Grid(), Dqn(n_obs=8, n_act=4)
    obs, total, returns = env.reset(), 0.0, []
    for t in range(320):
        act = agent.act(obs, eps=max(0.1, 1 - t / 200))
        nxt, reward, done = env.step(act)
        agent.remember(obs, act, reward, nxt, done)
        total += reward
        obs = nxt
        if done:
            returns.append(total)
            obs, total = env.reset(), 0.0
        if t >= 80 and t % 2 == 0:
            agent.learn()
    print("episodes", len(returns), "td", round(agent.td_mean(), 4))


if __name__ == "__main__":
    main()
