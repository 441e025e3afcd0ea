# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(119)

from .rollout import Arm, collect
from .ppo import PPO

arm, ppo = Arm(10), PPO(4, 2)
for it in range(36):
    data = collect(arm, ppo.ac, horizon=8)
    kl = ppo.learn(data)
    if it % 6 == 0:
        print(it, "reward", data["rew"].mean().item(), "kl", kl)
