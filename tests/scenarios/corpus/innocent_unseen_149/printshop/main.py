# gradwatch-corpus: kind=none
"""Ink consumption per print job: large effective batches by accumulating four small ones."""
import torch
from torch import nn

from callbacks import Accumulate, BestWeights, History
from trainer import Trainer

torch.set_num_threads(1)
torch.manual_seed(58)


def jobs(n, batch=12):
    for _ in range(n):
        x = torch.rand(batch, 6)
        yield x, (x[:, :4].sum(1) * (0.5 + x[:, 5])).unsqueeze(1)


net = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 1))
history = History()
trainer = Trainer(net, torch.optim.Adam(net.parameters(), lr=5e-3), [Accumulate(4), history, BestWeights(every=40)])
trainer.fit(jobs(320))
print("every 40 jobs:", [round(v, 4) for v in history.values[::40]])
print("best", round(trainer.callbacks[2].best, 4))
