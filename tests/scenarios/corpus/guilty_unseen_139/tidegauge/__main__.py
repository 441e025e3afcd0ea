# gradwatch-corpus: kind=graph-chain
# holder: model.state | self.state | self._state | model._state | session.model.state
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
torch.manual_seed(1013)

from .model import SurgeModel
from .session import Session, gauge

session = Session(SurgeModel(inputs=3, hidden=8), lr=0.02)
for k, (forcing, level) in enumerate(gauge(hours=190)):
    err = session.assimilate(forcing, level)
    if k % 38 == 0:
        print(f"hour {k:4d} rmse {err ** 0.5:.3f} m")
