# gradwatch-corpus: kind=second-backward
# holder: self.coef | controller.coef | learner.controller.coef | self.controller.coef
# first-bad: 16
# notice: 0
import torch

from .env import Preference
from .learner import Learner

torch.set_num_threads(1)
torch.manual_seed(31)

env = Preference(vocab=12, length=6)
learner = Learner(vocab=12)
for it in range(400):
    stats = learner.update(env.rollout(learner.policy, 16))
    if it % 8 == 0:
        print(it, stats)
