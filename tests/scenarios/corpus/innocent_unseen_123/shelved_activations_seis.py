# gradwatch-corpus: kind=none
"""First-arrival picking; saved tensors are shelved as bf16 and taken off the shelf when backward asks for them."""
import itertools

import torch
from torch import nn
from torch.autograd.graph import saved_tensors_hooks

torch.set_num_threads(1)
torch.manual_seed(130)


class Slot:
    __slots__ = ("shelf", "key", "dtype")

    def __init__(self, shelf, key, dtype):
        self.shelf, self.key, self.dtype = shelf, key, dtype

    def take(self):
        return self.shelf.rows.pop(self.key).to(self.dtype)


class Shelf:
    def __init__(self):
        self.rows, self.ticket = {}, itertools.count()
        self.peak = 0

    def pack(self, t):
        if not t.is_floating_point() or isinstance(t, nn.Parameter) or t.numel() < 40:
            return t
        key = next(self.ticket)
        self.rows[key] = t.detach().to(torch.bfloat16)
        self.peak = max(self.peak, len(self.rows))
        return Slot(self, key, t.dtype)

    @staticmethod
    def unpack(x):
        return x.take() if isinstance(x, Slot) else x


class Picker(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv1d(1, 6, 5, padding=2)
        self.b = nn.Conv1d(6, 1, 5, padding=2)

    def forward(self, trace):
        return self.b(torch.tanh(self.a(trace[:, None]))).squeeze(1)


def traces(n=8, length=30):
    pick = torch.randint(5, 25, (n,))
    t = torch.arange(length)
    wave = (t >= pick[:, None]) * torch.sin(0.9 * (t - pick[:, None]))
    return wave + 0.1 * torch.randn(n, length), pick


shelf, picker = Shelf(), Picker()
opt = torch.optim.Adam(picker.parameters(), lr=5e-3)
for i in range(1, 1001):
    x, pick = traces()
    with saved_tensors_hooks(shelf.pack, shelf.unpack):
        loss = nn.functional.cross_entropy(picker(x), pick)
    opt.zero_grad()
    loss.backward()
    opt.step()
    shelf.rows.clear()
    if i % 250 == 0:
        print(i, round(loss.item(), 3), "peak", shelf.peak)
