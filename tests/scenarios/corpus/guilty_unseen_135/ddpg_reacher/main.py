# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
# notice: 0
"""DDPG on a planar point-reacher."""
import torch

torch.set_num_threads(1)

from agent import DDPG
from world import Reacher


def main():
    torch.manual_seed(19)
    world, agent = Reacher(), DDPG(obs=4, act=2)
    s = world.reset()
    for t in range(300):
        a = agent.explore(s)
        s2, r = world.step(a)
        agent.store(s, a, r, s2)
        s = world.reset() if t % 25 == 24 else s2
        if t > 32:
            logs = agent.update(batch=16)
            if t % 50 == 0:
                print(t, logs)


if __name__ == "__main__":
    main()
