# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(1200)

from .engine import Engine
from .plugins import PLUGINS

engine = Engine(plugins=[PLUGINS["gradient-penalty"](weight=2.0), PLUGINS["scores"](every=60)])
engine.run(rounds=300)
