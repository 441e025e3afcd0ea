# gradwatch-corpus: kind=graph-held
# holder: self.queue | trainer.review.queue | self.review.queue | review.queue
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .phantom import Phantoms
from .trainer import Trainer

torch.manual_seed(11)
trainer = Trainer(Phantoms(side=16), lr=1e-2)
trainer.run(iterations=240, every=60)
print("to be read again by a radiologist:")
for case in trainer.review.shortlist(5):
    print(f"  scan {case.scan:05d}  dice {float(case.dice):.3f}")
