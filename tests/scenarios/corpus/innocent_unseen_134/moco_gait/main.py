# gradwatch-corpus: kind=none
"""Momentum-contrast pretraining on accelerometer gait windows, then a linear probe."""
import torch

torch.set_num_threads(1)

from contrast import Contrast
from gait import GaitSource
from probe import linear_probe

torch.manual_seed(28)
source = GaitSource(people=5, length=48)
model = Contrast(channels=3, dim=12, ring=120)
opt = torch.optim.AdamW(model.query.parameters(), lr=1e-3)
history = []
for step in range(460):
    a, b, _ = source.pair(20)
    loss, acc = model(a, b)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(acc)
print("top-1", sum(history[-50:]) / 50, "probe", linear_probe(model.query, source))
