# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(84)

from .inner import InnerLoop
from .outer import MetaTrainer
from .tasks import PumpTasks

MetaTrainer(InnerLoop(steps=3, lr=0.05), PumpTasks()).fit(updates=420, tasks_each=2)
