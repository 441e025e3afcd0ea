# gradwatch-corpus: kind=second-backward
# holder: self.state | stage.state | runner.state | runner.carry.state | carry.state | self.carry.state
# first-bad: 81
# notice: 0
import torch
torch.set_num_threads(1)
from .runner import Runner

torch.manual_seed(40)
runner = Runner()
runner.stage("windows", epochs=8, lr=5e-3, long_context=False)
runner.stage("long context", epochs=30, lr=1e-3, long_context=True)
