# gradwatch-corpus: kind=graph-chain
# holder: baseline.value | self.value | learner.baseline.value | self.baseline.value
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(1415)

from learner import WindLearner
from registry import build

learner = WindLearner(build("policy", "linear-gauss", n_obs=4), build("baseline", "moving", rate=0.1))
scores = []
for volley in range(200):
    scores.append(learner.volley(12))
    if volley % 40 == 39:
        print(volley + 1, round(sum(scores[-40:]) / 40, 4))
