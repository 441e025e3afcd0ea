# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
import numpy as np
import torch as th

from . import TD3
from .common import ReachEnv

if __name__ == "__main__":
    th.set_num_threads(1)
    np.random.seed(9)
    th.manual_seed(9)
    model = TD3(ReachEnv(), policy_delay=2)
    model.learn(total_timesteps=260)
