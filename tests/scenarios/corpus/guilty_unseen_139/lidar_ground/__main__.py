# gradwatch-corpus: kind=memory-climb
# holder: monitor.frames | self.frames | loop.listeners[1].frames | listener.frames
# first-bad: 1
# notice: 60
import torch

torch.set_num_threads(1)
torch.manual_seed(640)

from .listeners import InputMonitor, Speedometer
from .loop import GroundLoop

monitor = InputMonitor(report=100)
GroundLoop([Speedometer(report=100), monitor]).run(sweeps=420)
print("range of last window", monitor.span())
