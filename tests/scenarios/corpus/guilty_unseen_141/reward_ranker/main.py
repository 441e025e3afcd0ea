# gradwatch-corpus: kind=graph-held
# holder: self.skipped | guard.skipped | guard.skipped[-1].__traceback__
# first-bad: 3
# notice: 8
# Bradley-Terry reward model with label noise; batches that look corrupt are skipped.
import torch

from guard import BatchGuard
from preference import RewardHead, comparisons, fit_batch

torch.set_num_threads(1)
torch.manual_seed(23)

model = RewardHead(features=12)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
guard = BatchGuard()

seen = 0
for step, batch in enumerate(comparisons(700)):
    with guard:
        seen += fit_batch(model, optimizer, batch)
    if step % 140 == 0:
        print(step, "fitted", seen, "skipped", len(guard.skipped))
print(guard.causes())
