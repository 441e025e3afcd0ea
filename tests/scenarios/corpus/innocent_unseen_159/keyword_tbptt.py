# gradwatch-corpus: kind=none
"""Streaming wake-word model: the state is cut every few chunks, by its own property."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(4)


class Carry:
    """State slot that lets gradients pass `span - 1` times and cuts on the next."""

    def __init__(self, span):
        self.span = span

    def __set_name__(self, owner, name):
        self.slot, self.count = f"_{name}", f"_{name}_n"

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__.get(self.slot)

    def __set__(self, obj, value):
        n = obj.__dict__.get(self.count, 0) + 1
        if value is not None and n % self.span == 0:
            value = value.detach()
        obj.__dict__[self.slot] = value
        obj.__dict__[self.count] = n


class Wake(nn.Module):
    st = Carry(span=4)

    def __init__(self, feats=16, hidden=24):
        super().__init__()
        self.pre = nn.Linear(feats, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, chunk):
        h = self.st
        if h is None:
            h = chunk.new_zeros(chunk.shape[0], 24)
        ys = []
        for f in chunk.unbind(1):
            h = self.cell(F.relu(self.pre(f)), h)
            ys.append(self.out(h))
        self.st = h
        return torch.stack(ys, 1)


class Mic:
    def __init__(self, n, batch=6, frames=5, feats=16):
        self.n, self.shape = n, (batch, frames, feats)
        self.key = torch.randn(feats)

    def __iter__(self):
        for _ in range(self.n):
            x = torch.randn(self.shape)
            y = (torch.rand(self.shape[:2]) < 0.3).long()
            yield x + 0.7 * y.unsqueeze(-1) * self.key, y


def spans(stream, k):
    buf = []
    for item in stream:
        buf.append(item)
        if len(buf) == k:
            yield buf
            buf = []


class Fit:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=4e-3)
        self.log = []

    def span(self, buf):
        total = 0.0
        for x, y in buf:
            total = total + F.cross_entropy(self.net(x).flatten(0, 1), y.flatten())
        self.opt.zero_grad()
        (total / len(buf)).backward()
        self.opt.step()
        self.log.append(total.item() / len(buf))


def main():
    fit = Fit(Wake())
    for k, buf in enumerate(spans(Mic(400), 4)):
        fit.span(buf)
        if k % 25 == 24:
            print(k, round(fit.log[-1], 4))


if __name__ == "__main__":
    main()
