# gradwatch-corpus: kind=graph-chain
# holder: pool | reservoir.gi_frame.f_locals["pool"]
# first-bad: 1
"""Remaining-life regression for rolling bearings with a fixed random reservoir.

Only the input gains are trained; the mixing matrix stays as drawn.
"""
import argparse
import math

import torch

ap = argparse.ArgumentParser()
ap.add_argument("--width", type=int, default=48)
ap.add_argument("--windows", type=int, default=160)
ap.add_argument("--per-window", type=int, default=3)
ap.add_argument("--radius", type=float, default=0.8)
opts = ap.parse_args()

torch.manual_seed(5)
mix = torch.randn(opts.width, opts.width)
mix *= opts.radius / torch.linalg.eigvals(mix).abs().max()
gains = torch.nn.Linear(3, opts.width)
votes = torch.linspace(-1, 1, opts.width) / math.sqrt(opts.width)


def accelerometer(n):
    """three-axis vibration whose amplitude drifts with wear"""
    t = 0.0
    for w in range(n):
        block = []
        for _ in range(opts.per_window):
            t += 0.1
            wear = 1 + 0.3 * math.sin(w / 25)
            block.append([math.sin(t) * wear, math.cos(1.7 * t) * wear, 0.2 * math.sin(9 * t)])
        yield torch.tensor(block), torch.tensor(wear - 1.0)


def ripple():
    """coroutine: send a window of samples, receive the pool after it"""
    pool = torch.zeros(opts.width)
    window = yield pool
    while True:
        for sample in window:
            pool = torch.tanh(mix @ pool + gains(sample))  # <- culprit
        window = yield pool


reservoir = ripple()
next(reservoir)
adam = torch.optim.Adam(gains.parameters(), lr=5e-3)
shown = 0.0
for w, (window, wear) in enumerate(accelerometer(opts.windows)):
    estimate = reservoir.send(window) @ votes
    miss = (estimate - wear).pow(2)
    adam.zero_grad()
    miss.backward(retain_graph=True)  # <- culprit
    adam.step()
    shown = 0.95 * shown + 0.05 * miss.item()
    if w % 40 == 39:
        print("window %d  smoothed squared miss %.5f" % (w + 1, shown))
reservoir.close()
