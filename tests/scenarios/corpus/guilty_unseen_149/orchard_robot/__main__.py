# gradwatch-corpus: kind=graph-held
# holder: self.rows | buffer.rows | self.buffer.rows | learner.buffer.rows
# first-bad: 1
# notice: 8
# also: graph-unused
"""A picking robot learns which branch to reach for next (replayed policy gradient)."""
import torch

from .agent import Learner
from .grove import Grove

torch.set_num_threads(1)
torch.manual_seed(29)


def main(turns=110):
    grove = Grove(branches=6)
    learner = Learner(obs_dim=12, actions=6)
    obs = grove.reset()
    picked = 0.0
    for turn in range(turns):
        action = learner.act(obs)
        nxt, reward = grove.pick(action)
        learner.remember(obs, reward)
        obs = nxt
        picked += reward
        if turn >= 8:
            loss = learner.learn(16)
            if turn % 20 == 0:
                print(f"turn {turn:3d}  picked {picked:6.2f}  loss {loss:.3f}  stored {len(learner.buffer)}")


main()
