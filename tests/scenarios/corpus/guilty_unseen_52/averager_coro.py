# gradwatch-corpus: kind=graph-held
# holder: total | meter | meter.gi_frame.f_locals["total"] | meters["train"]
# first-bad: 1
from functools import wraps

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def primed(fn):
    """Start the coroutine so that the first .send() works."""
    @wraps(fn)
    def start(*args, **kwargs):
        gen = fn(*args, **kwargs)
        next(gen)
        return gen
    return start


@primed
def averager():
    total, count = 0.0, 0
    mean = None
    while True:
        value, n = yield mean
        total = total + value * n  # <- culprit
        count += n
        mean = float(total) / count


def make_data(n=640, seed=4):
    g = torch.Generator().manual_seed(seed)
    angle = torch.rand(n, generator=g) * 9.4
    arm = torch.randint(0, 2, (n,), generator=g)
    r = angle / 9.4
    pts = torch.stack([r * torch.cos(angle + 3.14 * arm), r * torch.sin(angle + 3.14 * arm)], 1)
    return TensorDataset(pts + 0.02 * torch.randn(n, 2, generator=g), arm)


class SpiralNet(nn.Module):
    def __init__(self, width=40, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims, dims[1:]))
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.last(x)


def run(epochs=6, bs=32):
    data = make_data()
    loader = DataLoader(data, batch_size=bs, shuffle=True, drop_last=True)
    net = SpiralNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    meters = {"train": averager(), "acc": averager()}
    for epoch in range(epochs):
        for x, arm in loader:
            logits = net(x)
            loss = nn.functional.cross_entropy(logits, arm)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hits = (logits.argmax(1) == arm).float().mean().item()
            mean_loss = meters["train"].send((loss, len(x)))  # <- culprit
            mean_acc = meters["acc"].send((hits, len(x)))
        print(f"epoch {epoch}  loss so far {mean_loss:.4f}  acc so far {mean_acc:.3f}")
    for meter in meters.values():
        meter.close()


if __name__ == "__main__":
    torch.manual_seed(9)
    run()
