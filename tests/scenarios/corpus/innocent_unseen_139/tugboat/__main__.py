# gradwatch-corpus: kind=none
"""Deep Q-learning for a tug which keeps a ship in its lane."""
import random

import torch

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)

from .dqn import DQNConfig, Tug
from .events import Bus
from .lane import Lane

bus = Bus()
tug = Tug(DQNConfig(), bus)
recent = {"loss": 0.0, "n": 0}


@bus.on("update")
def count(loss, priority):
    recent["loss"] = 0.98 * recent["loss"] + 0.02 * loss
    recent["n"] += 1


@bus.on("sync")
def tell(updates):
    if updates % 150 == 0:
        print(f"{updates} updates, loss {recent['loss']:.4f}")


lane = Lane()
obs = lane.reset()
for tick in range(1000):
    act = tug.act(obs)
    nxt, rew, done = lane.step(act)
    tug.observe(obs, act, rew, nxt, done)
    obs = lane.reset() if done else nxt
