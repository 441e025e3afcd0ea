# gradwatch-corpus: kind=graph-held
# holder: keeper.buffer | log.handlers[0].buffer | record.args
# first-bad: 1
# notice: 8
"""Day-ahead electricity load with dilated causal convolutions."""
import logging
import logging.handlers
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)

log = logging.getLogger("load")
log.setLevel(logging.DEBUG)
log.propagate = False
keeper = logging.handlers.MemoryHandler(100_000, flushLevel=logging.ERROR)  # <- culprit
log.addHandler(keeper)


def load_curve(hours=2400):
    h = torch.arange(hours, dtype=torch.float32)
    day = torch.sin(2 * math.pi * h / 24)
    week = 0.4 * torch.sin(2 * math.pi * h / 168)
    return day + week + 0.1 * torch.randn(hours)


class Causal(nn.Module):
    def __init__(self, cin, cout, dil):
        super().__init__()
        self.pad = 2 * dil
        self.conv = nn.Conv1d(cin, cout, 3, dilation=dil)

    def forward(self, x):
        return self.conv(nn.functional.pad(x, (self.pad, 0))).relu()


class TCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = nn.Sequential(Causal(1, 8, 1), Causal(8, 8, 2), Causal(8, 8, 4))
        self.out = nn.Linear(8, 24)

    def forward(self, x):
        return self.out(self.stack(x[:, None])[:, :, -1])


def pinball(pred, target, q=0.6):
    d = target - pred
    return torch.maximum(q * d, (q - 1) * d).mean()


series = load_curve()
windows = series.unfold(0, 72, 1)
net = TCN()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(240):
    w = windows[torch.randint(0, len(windows), (16,))]
    loss = pinball(net(w[:, :48]), w[:, 48:])
    opt.zero_grad()
    loss.backward()
    gn = nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
    log.debug("it %d pinball %.4f grad %.3f", it, loss, gn)  # <- culprit
    if it % 60 == 0:
        print(it, f"{loss.item():.4f}")
print(keeper.buffer[-1].getMessage())
