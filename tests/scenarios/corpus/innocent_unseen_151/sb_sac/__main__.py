# gradwatch-corpus: kind=none
import numpy as np
import torch as th

from . import SAC
from .buffers import ReplayBuffer
from .envs import Pendulumish

if __name__ == "__main__":
    th.set_num_threads(1)
    np.random.seed(13)
    th.manual_seed(13)
    model = SAC(Pendulumish(), ReplayBuffer(300, 3, 1), batch_size=32, ent_coef="auto")
    model.learn(200, log_interval=50)
