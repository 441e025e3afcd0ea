# gradwatch-corpus: kind=graph-held
# holder: meter.sums["loss"] | meter.sums["cohesion"] | self.sums[k] | self.sums | meter.sums
# first-bad: 1
# notice: 8
"""
Fish schooling: infer the interaction kernel (attraction / alignment / avoidance)
from tracked trajectories.  A thread does the bookkeeping so that the training loop
"never waits" -- adapted from a tutorial about asynchronous logging.
"""
import queue
import threading

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(404)

N_FISH = 12


def true_turn(d):
    return 1.2 * torch.exp(-((d - 2.0) ** 2)) - 2.0 * torch.exp(-3 * d)


def tracks(n):
    """n frames: positions, headings and the observed acceleration of each fish."""
    pos = torch.randn(n, N_FISH, 2) * 1.5
    vec = pos[:, None] - pos[:, :, None]
    d = vec.norm(dim=-1, keepdim=True) + 1e-3
    acc = (true_turn(d) * vec / d).mean(2)
    return vec, d, acc + 0.01 * torch.randn_like(acc)


class Kernel(nn.Module):
    """Gaussian bumps over the distance."""

    def __init__(self, n=14, top=5.0):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0, top, n))
        self.log_s = nn.Parameter(torch.zeros(n) - 0.7)
        self.w = nn.Parameter(torch.randn(n) * 0.05)

    def forward(self, d):
        bumps = torch.exp(-((d - self.mu) / self.log_s.exp()) ** 2)
        return (bumps * self.w).sum(-1, keepdim=True)


class ThreadMeter(threading.Thread):
    STOP = object()

    def __init__(self):
        super().__init__(daemon=True)
        self.inbox = queue.Queue()
        self.sums = {}
        self.n = 0

    def post(self, **kw):
        self.inbox.put(kw)  # <- culprit

    def run(self):
        while True:
            msg = self.inbox.get()
            if msg is self.STOP:
                break
            for k, v in msg.items():
                self.sums[k] = self.sums.get(k, 0) + v  # <- culprit
            self.n += 1
            self.inbox.task_done()

    def close(self):
        self.inbox.put(self.STOP)
        self.join()

    def means(self):
        return {k: float(v.detach()) / max(self.n, 1) for k, v in self.sums.items()}


kernel = Kernel()
opt = torch.optim.RMSprop(kernel.parameters(), lr=5e-3)
meter = ThreadMeter()
meter.start()

for it in range(420):
    vec, d, acc = tracks(4)
    push = kernel(d) * vec / d
    pred = push.mean(2)
    fit = ((pred - acc) ** 2).sum(-1).mean()
    rough = (kernel.w[1:] - kernel.w[:-1]).pow(2).sum()
    loss = fit + 1e-3 * rough

    opt.zero_grad()
    loss.backward()
    opt.step()

    cohesion = (pred * acc).sum() / (pred.norm() * acc.norm())
    meter.post(loss=loss, cohesion=cohesion)  # <- culprit
    if it % 105 == 104:
        meter.inbox.join()
        print("frame", it + 1, {k: round(v, 4) for k, v in meter.means().items()})

meter.close()
with torch.no_grad():
    g = torch.linspace(0.2, 4, 9)[:, None]
    for a, b, c in zip(g, kernel(g), true_turn(g)):
        print(f"d={a.item():.2f}  learned {b.item():+.3f}  true {c.item():+.3f}")
