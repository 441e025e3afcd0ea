# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from .trainer import Trainer
from .gan import RingGAN

torch.manual_seed(77)
model = RingGAN()
Trainer(max_steps=450, log_every=90).fit(model)
