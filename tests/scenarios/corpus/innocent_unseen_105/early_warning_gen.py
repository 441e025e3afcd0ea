# gradwatch-corpus: kind=none
"""Autoencoder for pump signals; generators watch the training for plateaus."""
import itertools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(140)


def last_few(n):
    """Coroutine: send a value, get the list of the last n back."""
    window = []
    value = yield window
    while True:
        window.append(value)
        if len(window) > n:
            del window[0]
        value = yield window


def primed(gen):
    next(gen)
    return gen


def plateau(n, tol):
    """Coroutine: send a loss, get True when the window is flat."""
    feed = primed(last_few(n))
    flat = False
    while True:
        loss = yield flat
        window = feed.send(loss)
        if len(window) < n:
            flat = False
            continue
        stacked = torch.stack(window)
        spread = (stacked.max() - stacked.min()) / stacked.mean()
        flat = bool(spread < tol)


def signals(batch):
    t = torch.linspace(0, 1, 24)
    for _ in itertools.count():
        freq = 1 + 3 * torch.rand(batch, 1)
        yield torch.sin(2 * torch.pi * freq * t) + 0.05 * torch.randn(batch, 24)


def training(model, opt, source):
    for x in source:
        code = model.enc(x)
        recon = model.dec(code)
        loss = ((recon - x) ** 2).mean() + 1e-3 * code.abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield loss, code


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(24, 32), nn.ELU(), nn.Linear(32, 5))
        self.dec = nn.Sequential(nn.Linear(5, 32), nn.ELU(), nn.Linear(32, 24))


def main():
    model = AutoEncoder()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    watch = primed(plateau(12, tol=0.5))
    codes = primed(last_few(8))
    flat_steps = 0
    run = training(model, opt, signals(16))
    for step, (loss, code) in enumerate(itertools.islice(run, 420)):
        flat_steps += watch.send(loss)
        recent = codes.send(code)
        if step % 60 == 59:
            sd = torch.cat(recent).std(0)
            print(f"{step + 1:4d} loss {loss.item():.4f} flat {flat_steps} "
                  f"code sd {sd.min().item():.2f}..{sd.max().item():.2f}")


if __name__ == "__main__":
    main()
