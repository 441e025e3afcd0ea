# gradwatch-corpus: kind=none
import random

import torch

torch.set_num_threads(1)

from agent import PilotAgent
from field import WindField


def main():
    random.seed(31)
    torch.manual_seed(31)
    env, agent = WindField(), PilotAgent(capacity=1500)
    flown = []
    while agent.updates < 2000:
        obs, done, total = env.reset(), False, 0.0
        while not done:
            act = agent.choose(obs)
            nxt, reward, done = env.step(act)
            agent.remember(obs, act, reward, nxt, done)
            agent.improve()
            obs, total = nxt, total + reward
        flown.append(total)
        if len(flown) % 25 == 0:
            print(len(flown), "flights, mean", round(sum(flown[-25:]) / 25, 2))


if __name__ == "__main__":
    main()
