# gradwatch-corpus: kind=none
"""Live plot keeps the last few predictions, with their graphs; the window never grows."""
from collections import deque

import torch
from torch import nn


class LiveWindow:
    def __init__(self, n=3):
        self.items = deque(maxlen=n)

    def add(self, step, pred, loss):
        self.items.append((step, pred, loss))

    def summary(self):
        return {s: (float(p.detach().mean()), l.item()) for s, p, l in self.items}


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(12, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
window = LiveWindow()
for step in range(300):
    x = torch.randn(96, 12)
    pred = net(x)
    loss = nn.functional.mse_loss(pred, x.prod(1, keepdim=True).tanh())
    opt.zero_grad()
    loss.backward()
    opt.step()
    window.add(step, pred, loss)
    if step % 75 == 0:
        print(window.summary())
