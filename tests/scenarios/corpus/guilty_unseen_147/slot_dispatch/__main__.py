# gradwatch-corpus: kind=inplace-modified
# holder: self.slots | model.memory.slots | memory.slots
# first-bad: 30
# notice: 0
import torch

from .model import DispatchModel
from .schedule import WriteSchedule, train

torch.set_num_threads(1)
torch.manual_seed(28)

model = DispatchModel(fields=5, width=8, n_slots=4)

if __name__ == "__main__":
    train(model, WriteSchedule(begin=30), steps=250)
