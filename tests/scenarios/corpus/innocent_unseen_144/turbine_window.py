# gradwatch-corpus: kind=none
import threading
import queue
from collections import deque

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(101)


class Spectator(threading.Thread):
    """Looks at the last few reconstructions; older ones fall off the end."""

    def __init__(self, keep=6):
        super().__init__(daemon=True)
        self.feed = queue.Queue(maxsize=4)
        self.recent = deque(maxlen=keep)
        self.alarms = 0

    def run(self):
        while (item := self.feed.get()) is not None:
            self.recent.append(item)
            worst = max(float((r - x).abs().max()) for r, x in self.recent)
            self.alarms += worst > 2.5


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv1d(2, 6, 4, stride=2), nn.ReLU())
        self.up = nn.ConvTranspose1d(6, 2, 4, stride=2)

    def forward(self, x):
        return self.up(self.down(x))


ae = AutoEncoder()
opt = torch.optim.Adam(ae.parameters(), 3e-3)
watch = Spectator()
watch.start()
for sec in range(1500):
    phase = torch.rand(6, 1, 1) * 6.28
    x = torch.sin(torch.linspace(0, 9, 16) + phase).expand(-1, 2, -1) + 0.1 * torch.randn(6, 2, 16)
    rec = ae(x)
    loss = nn.functional.mse_loss(rec, x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    watch.feed.put((rec, x))
watch.feed.put(None)
watch.join()
print(f"loss {loss.item():.4f}, alarms {watch.alarms}")
