# gradwatch-corpus: kind=graph-held
# holder: learner.rollout.entropies | self.rollout.entropies | self.entropies | rollout.entropies
# first-bad: 1
# notice: 8
"""Advantage actor-critic for one elevator car."""
import torch

torch.set_num_threads(1)
torch.manual_seed(31)

from .learner import A2C
from .shaft import Shaft

shaft = Shaft(floors=6)
learner = A2C(obs_dim=shaft.obs_dim, horizon=5)
obs = shaft.reset()
gain = 0.0
for update in range(360):
    obs, total = learner.collect(shaft, obs)
    learner.update(obs)
    gain += total
    if update % 90 == 89:
        print(f"update {update + 1}: served {gain:.1f} in 90 rollouts")
        gain = 0.0
