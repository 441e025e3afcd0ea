# gradwatch-corpus: kind=graph-held
# holder: trainer.meter.value | self.meter.value | self.value
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .config import GPTConfig
from .model import GPT
from .trainer import Trainer

torch.manual_seed(1337)

cfg = GPTConfig()
corpus = torch.randint(0, cfg.vocab_size, (2048,))
corpus[1::2] = (corpus[0::2] * 3 + 1) % cfg.vocab_size

model = GPT(cfg)
trainer = Trainer(model, corpus, cfg)
trainer.run(max_iters=400)
