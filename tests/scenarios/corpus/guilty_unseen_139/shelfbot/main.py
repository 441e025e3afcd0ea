# gradwatch-corpus: kind=graph-held
# holder: agent.memory.items | agent.memory.items[i].urgency | self.items | memory.items | tr.urgency | self.memory.items
# first-bad: 1
# notice: 8
import random

import torch

torch.set_num_threads(1)
torch.manual_seed(17)
random.seed(17)

from agent import ShelfAgent
from world import Aisle

world = Aisle(length=9)
agent = ShelfAgent(n_obs=3, n_act=3)
score = 0.0
obs = world.reset()
for tick in range(1600):
    act = agent.act(obs, eps=max(0.05, 1 - tick / 800))
    nxt, rew, done = world.step(act)
    agent.memory.push(obs, act, rew, nxt, done)
    score += rew
    obs = world.reset() if done else nxt
    if tick % 4 == 3 and len(agent.memory) >= 16:
        agent.learn()
    if tick % 400 == 399:
        print(f"tick {tick + 1} reward/tick {score / 400:.3f} memory {len(agent.memory)}")
        score = 0.0
