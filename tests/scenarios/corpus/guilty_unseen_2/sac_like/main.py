# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# notice: 1
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

from agent import Agent
from memory import Ring
from world import PointMass


def main(iters=130):
    torch.manual_seed(5)
    env, mem, agent = PointMass(), Ring(600, 2, 1), Agent(2, 1)
    s = env.reset()
    for _ in range(80):
        a = torch.rand(1) * 2 - 1
        s2, r = env.step(a)
        mem.add(s, a, r, s2)
        s = s2
    for i in range(iters):
        with torch.no_grad():
            a = agent.policy(s[None])[0] + 0.1 * torch.randn(1)
        s2, r = env.step(a.clamp(-1, 1))
        mem.add(s, a, r, s2)
        s = s2 if i % 25 else env.reset()
        out = agent.update(mem.sample(32))
        if i % 26 == 0:
            print(i, out)


main()
