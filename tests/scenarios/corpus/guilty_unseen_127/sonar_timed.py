# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import functools
import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(44)
CLOCK = {}


def timed(label):
    """Adds the time of each call to CLOCK[label]."""
    def outer(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            t0 = time.perf_counter()
            with torch.inference_mode():  # <- culprit
                result = fn(*args, **kwargs)
            CLOCK[label] = CLOCK.get(label, 0.0) + time.perf_counter() - t0
            return result
        return inner
    return outer


class EchoNet(nn.Module):
    def __init__(self, beams=10):
        super().__init__()
        self.mix = nn.MultiheadAttention(8, 2, batch_first=True)
        self.lift = nn.Linear(1, 8)
        self.depth = nn.Linear(8, 1)

    @timed("forward")
    def forward(self, echo):
        tokens = self.lift(echo.unsqueeze(-1))
        mixed, _ = self.mix(tokens, tokens, tokens, need_weights=False)
        return self.depth(mixed.mean(1)).squeeze(-1)


@timed("pings")
def pings(n, beams=10):
    depth = torch.rand(n) * 2
    echo = torch.exp(-(torch.linspace(0, 2, beams) - depth[:, None]) ** 2 * 4)
    return echo, depth


def survey(passes):
    net = EchoNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for k in range(passes):
        echo, depth = pings(16)
        loss = nn.functional.smooth_l1_loss(net(echo.clone()), depth.clone())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 50 == 0:
            print(k, loss.item(), CLOCK)


survey(200)
