# gradwatch-corpus: kind=none
"""A differentiable resonant filter fitted online to a drifting reference, coroutine style."""
from collections import deque
from itertools import islice
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(23)

BLOCK = 16


def blocks(n=BLOCK):
    phase, k = 0.0, 0
    y1 = y2 = 0.0
    while True:
        noise = torch.randn(n)
        target = []
        for x in noise.tolist():
            a1, a2 = 1.2 + 0.1 * math.sin(phase), -0.6
            y1, y2 = 0.3 * x + a1 * y1 + a2 * y2, y1
            target.append(y1)
            phase += 5e-4
        yield noise, torch.tensor(target)


def resonator(params):
    """Send a block, receive the filtered block."""
    y1 = y2 = torch.zeros(())
    out = None
    while True:
        x = yield out
        pole, angle, gain = torch.sigmoid(params["pole"]), params["angle"], params["gain"].exp()
        a1, a2 = 2 * pole * torch.cos(angle), -pole ** 2
        y1, y2 = y1.detach(), y2.detach()
        samples = []
        for v in x:
            y1, y2 = gain * v + a1 * y1 + a2 * y2, y1
            samples.append(y1)
        out = torch.stack(samples)


params = {k: torch.tensor(v, requires_grad=True) for k, v in (("pole", 0.5), ("angle", 0.9), ("gain", -0.5))}
opt = torch.optim.Adam(params.values(), lr=5e-3)
voice = resonator(params)
next(voice)

recent = deque(maxlen=7)
for i, (x, reference) in enumerate(islice(blocks(), 900)):
    y = voice.send(x)
    loss = (y - reference).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    recent.append(loss)
    if i % 150 == 149:
        robust = torch.stack(list(recent)).median()
        print(i + 1, f"median of the last seven {robust.item():.5f}", {k: round(p.item(), 3) for k, p in params.items()})
