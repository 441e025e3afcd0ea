# gradwatch-corpus: kind=graph-chain
# holder: layer.mem | net.layer.mem | self.mem | self.layer.mem
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(9)

from .data import EventStream
from .neurons import SpikingReadout
from .learn import OnlineLearner

stream = EventStream(channels=10)
net = SpikingReadout(10, 14, 2)
learner = OnlineLearner(net, lr=0.02)
for t in range(260):
    loss = learner.observe(*stream.next(8))
    if t % 65 == 0:
        print(f"t={t} loss={loss:.4f} rate={net.rate:.3f}")
