# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from .train import Trainer
from .model import StreamingEncoder

torch.manual_seed(1)
Trainer(StreamingEncoder(), span=3).run(utterances=60)
