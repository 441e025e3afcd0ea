# gradwatch-corpus: kind=second-backward
# holder: agent.memory.items | self.memory.items | self.items
# first-bad: 25
# notice: 0
# also: graph-held
"""Latent dynamics of a two-link arm, with rehearsal of earlier transitions."""
import random

import torch

torch.set_num_threads(1)

from arm import TwoLink
from world import Agent

random.seed(4)
torch.manual_seed(4)

arm, agent = TwoLink(), Agent(warmup=25)
obs = arm.reset()
for step in range(400):
    torque = torch.rand(2) * 2 - 1
    nxt = arm.step(torque)
    loss = agent.learn(obs, torque, nxt)
    obs = arm.reset() if step % 40 == 39 else nxt
    if step % 10 == 0:
        print(step, f"{loss:.4f}")
