# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
"""Grading of plankton silhouettes with ordinal targets; validation after every haul."""
import torch

torch.set_num_threads(1)

from grading import OrdinalNet, haul, ordinal_loss
from validate import Validator

torch.manual_seed(10)
net = OrdinalNet()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
judge = Validator(net, haul(64), target=0.5)

for h in range(12):
    for k in range(30):
        x, g = haul(8)
        loss = ordinal_loss(net(x), g)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("haul", h, f"train {loss.item():.3f}", "valid", judge(h))
