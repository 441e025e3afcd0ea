# gradwatch-corpus: kind=second-backward
# holder: evt.loss | event.loss | queue.deferred | self.deferred | self.deferred[i].loss
# first-bad: 37
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(70)

from broker import Broker
from station import Station

broker = Broker(retry_after=30)
station = Station(broker)
for board in range(400):
    station.inspect(board)
    if board % 20 == 0:
        print("board", board, "mean loss", round(station.mean, 3), "waiting", len(broker.deferred))
