# gradwatch-corpus: kind=graph-chain
# holder: smooth.prev | self.prev | trainer.callbacks[0].prev | cb.prev
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)

from ripeness.callbacks import LossPrinter, SmoothLoss
from ripeness.engine import Trainer, TrainerConfig
from ripeness.features import FourierModel

torch.manual_seed(27)
smooth = SmoothLoss(beta=0.8)
trainer = Trainer(FourierModel(bands=5, features=40), TrainerConfig(epochs=6, batches=40), [smooth, LossPrinter()])
trainer.fit()
