# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.bank.level | runner.model.bank.level
# first-bad: 1
# notice: 5
import torch

from .runner import Runner
from .telemetry import feeder

torch.set_num_threads(1)
torch.manual_seed(3)

runner = Runner(inputs=4)
model = runner.model

if __name__ == "__main__":
    runner.consume(feeder(240))
