# gradwatch-corpus: kind=second-backward
# holder: fake | batch.fake | batch
# first-bad: 0
# notice: 0
"""GAN that makes synthetic ledger entries (amounts and one account code)."""
import torch

torch.set_num_threads(1)

from ledger.data import Entries
from ledger.nets import Discriminator, Generator
from ledger.train import AdversarialTrainer

torch.manual_seed(5)
data = Entries(codes=4, amounts=3)
trainer = AdversarialTrainer(Generator(8, data), Discriminator(data.width), data)
trainer.run(steps=400)
