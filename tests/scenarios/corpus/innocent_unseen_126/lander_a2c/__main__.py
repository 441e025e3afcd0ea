# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(104)

from .envs import Landers
from .a2c import A2C

envs = Landers(6)
algo = A2C(envs, n_steps=5)
for u in range(450):
    stats = algo.update()
    if u % 75 == 0:
        print(u, {k: round(v, 3) for k, v in stats.items()})
