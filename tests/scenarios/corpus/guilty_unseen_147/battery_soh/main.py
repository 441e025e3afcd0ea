# gradwatch-corpus: kind=graph-held
# holder: self.incidents | supervisor.incidents
# first-bad: 1
# notice: 8
import torch

from cells import CellFleet
from guard import SpikeGuard
from supervisor import Supervisor

torch.set_num_threads(1)
torch.manual_seed(77)

supervisor = Supervisor(CellFleet(cells=12, window=10), SpikeGuard(ratio=0.5))

if __name__ == "__main__":
    supervisor.run(360)
    print(supervisor.report())
