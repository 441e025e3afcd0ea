# gradwatch-corpus: kind=second-backward
# holder: self._hidden[unit] | self._hidden | sessions._hidden | monitor.sessions._hidden
# first-bad: 5
# notice: 0
import torch

from monitor import HealthMonitor
from plant import Plant

torch.set_num_threads(1)
torch.manual_seed(52)

monitor = HealthMonitor(Plant(units=["press-1", "press-2", "mill-1", "mill-2", "saw"]))

if __name__ == "__main__":
    monitor.run(rounds=80)
