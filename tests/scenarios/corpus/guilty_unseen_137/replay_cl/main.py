# gradwatch-corpus: kind=graph-held
# holder: self.heap | bank.heap | learner.bank.heap | self.bank.heap
# first-bad: 1
# notice: 8
"""Class-incremental digits-like blobs with a bank of hard examples."""
import torch

torch.set_num_threads(1)

from bank import HardBank
from learner import IncrementalLearner
from stream import TaskStream

torch.manual_seed(404)
stream = TaskStream(dim=10, tasks=4, per_task=90, batch=12)
bank = HardBank(share=6)
learner = IncrementalLearner(dim=10, classes=8, bank=bank)

for task, batches in stream:
    for xb, yb in batches:
        learner.observe(xb, yb)
    print(f"task {task}: bank {len(bank.heap)}, accuracy so far {learner.accuracy(*stream.seen()):.3f}")
