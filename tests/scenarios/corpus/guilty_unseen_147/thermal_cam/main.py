# gradwatch-corpus: kind=memory-climb
# holder: self._frames | trail._frames | line.trail._frames
# first-bad: 1
# notice: 60
import torch

from inspection import InspectionLine
from trail import AuditTrail

torch.set_num_threads(1)
torch.manual_seed(71)

trail = AuditTrail(keep_score_over=0.0)
line = InspectionLine(trail)

if __name__ == "__main__":
    line.train(420)
    print(trail.summary())
