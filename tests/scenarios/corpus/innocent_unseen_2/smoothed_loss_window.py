# gradwatch-corpus: kind=none
"""The worst of the last four losses is shown; the window holds the tensors themselves."""
from collections import deque
import torch
from torch import nn

torch.manual_seed(15)
window = deque(maxlen=4)
net = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=20)
for i in range(160):
    x = torch.rand(40, 5)
    loss = nn.functional.l1_loss(net(x), (x * torch.arange(5.)).sum(1, keepdim=True).cos())
    opt.zero_grad()
    loss.backward()
    opt.step()
    window.append(loss)
    worst = max(window, key=float)
    sched.step(worst.item())
    if i % 40 == 0:
        print(i, "worst of window %.4f" % worst.item())
