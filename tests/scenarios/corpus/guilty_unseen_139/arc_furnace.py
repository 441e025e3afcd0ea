# gradwatch-corpus: kind=graph-chain
# holder: echo | echoes.gi_frame.f_locals["echo"] | echoes
# first-bad: 1
# notice: 5
# Electrode position against arc voltage, learnt on line by an echo-state network built of coroutines.
import functools

import torch

torch.set_num_threads(1)
torch.manual_seed(600)


def primed(gen):
    @functools.wraps(gen)
    def start(*a, **k):
        g = gen(*a, **k)
        next(g)
        return g

    return start


def spectral(w, radius):
    return w * radius / torch.linalg.eigvals(w).abs().max()


N = 20
ring = spectral(torch.randn(N, N), 0.8)
spread = torch.randn(N)
gain = torch.full((N,), 0.5, requires_grad=True)
bias = torch.zeros(N, requires_grad=True)
out_w = torch.zeros(N, requires_grad=True)


@primed
def reservoir():
    echo = torch.zeros(N)
    volts = yield
    while True:
        echo = torch.tanh(ring @ echo + volts * spread * gain + bias)  # <- culprit
        volts = yield echo


@primed
def reader():
    height = None
    while True:
        echo = yield height
        height = echo @ out_w


@primed
def updater(rate):
    opt = torch.optim.SGD([gain, bias, out_w], lr=rate)
    seen = None
    while True:
        height, truth = yield seen
        loss = (height - truth) ** 2
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        seen = loss.item()


def arc(n):
    v = 0.0
    for _ in range(n):
        v_new = 0.7 * v + 0.5 * torch.randn(()).item()
        yield v_new, 0.6 * v_new + 0.3 * v
        v = v_new


echoes, heights, updates = reservoir(), reader(), updater(0.02)
run = 0.0
for i, (volts, truth) in enumerate(arc(230)):
    run += updates.send((heights.send(echoes.send(volts)), truth))
    if i % 46 == 45:
        print(i + 1, f"{run / 46:.4f}")
        run = 0.0
