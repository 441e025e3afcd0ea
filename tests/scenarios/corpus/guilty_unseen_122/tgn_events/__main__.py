# gradwatch-corpus: kind=graph-chain
# holder: self.state | model.memory.state | memory.state
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)

from tgn_events.config import Config
from tgn_events.engine import run

if __name__ == "__main__":
    run(Config())
