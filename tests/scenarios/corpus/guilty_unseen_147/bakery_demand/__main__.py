# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
import torch

from .registry import build
from .engine import Engine

torch.set_num_threads(1)
torch.manual_seed(4)

engine = Engine(build("head", "quantile", n_in=9), lr=4e-3)

if __name__ == "__main__":
    engine.run(days=350)
    print("last pinball", round(engine.tape[-1], 4))
