# gradwatch-corpus: kind=none
"""Trajectory smoothing written as a chain of generator stages."""
import weakref
from collections import deque
from itertools import islice

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1234)

registry = weakref.WeakValueDictionary()   # step -> output, as long as someone else has it
handles = []                               # one weak handle per step


def source():
    t = torch.linspace(0, 1, 10)
    while True:
        a, b, c = torch.randn(3, 16, 1)
        path = a * t + b * t ** 2 + 0.5 * torch.sin(3 * c * t)
        yield path + 0.15 * torch.randn_like(path), path


def forward(batches, net):
    for step, (noisy, clean) in enumerate(batches):
        out = net(noisy)
        registry[step] = out
        handles.append(weakref.ref(out))
        yield step, out, clean


def optimise(stream, opt):
    for step, out, clean in stream:
        fit = (out - clean).square().mean()
        rough = out.diff(n=2, dim=1).square().mean()
        loss = fit + 0.05 * rough
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield step, out, fit, rough


def windowed(stream, size):
    """every element together with those just before it"""
    held = deque(maxlen=size)
    for element in stream:
        held.append(element)
        yield tuple(held)


def every(stream, n):
    for window in stream:
        if (window[-1][0] + 1) % n == 0:
            yield window


def main():
    net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 10))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    fits = []
    pipeline = every(windowed(optimise(forward(source(), net), opt), size=6), n=60)
    for window in islice(pipeline, 6):
        fit = torch.stack([f for _, _, f, _ in window]).mean()
        rough = torch.stack([r for *_, r in window]).mean()
        fits.append(fit.item())
        alive = sum(h() is not None for h in handles)
        print(f"steps {window[0][0]}-{window[-1][0]} fit {fit:.4f} rough {rough:.4f} outputs around {alive}/{len(handles)} named {len(registry)}")
    print("improved" if fits[-1] < fits[0] else "not improved")


if __name__ == "__main__":
    main()
