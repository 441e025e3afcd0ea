# gradwatch-corpus: kind=none
"""PPO with a carried GRU state for dispatching one elevator bank."""
import torch

torch.set_num_threads(1)

from .bank import ElevatorBank
from .learner import Learner
from .net import Dispatcher

torch.manual_seed(15)
learner = Learner(Dispatcher(obs=6, actions=4), ElevatorBank(envs=6, floors=5))
for u in range(55):
    score = learner.update()
print("score", score, "steps", learner.n_steps)
