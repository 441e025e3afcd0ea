# gradwatch-corpus: kind=none
import copy
import weakref
from collections import defaultdict
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import nn


class ActivationBook:
    """Notes about activations, kept no longer than the activations themselves."""

    registry = weakref.WeakSet()

    def __init__(self):
        self.notes = weakref.WeakKeyDictionary()
        self.sizes = defaultdict(list)
        ActivationBook.registry.add(self)

    def hook(self, name):
        def write(module, args, out):
            self.notes[out] = name
            self.sizes[name].append(out.detach().abs().mean().item())
        return write

    @property
    def open_notes(self):
        return len(self.notes)


@lru_cache(maxsize=32)
def causal_mask(n):
    return torch.full((n, n), float("-inf")).triu(1)


@lru_cache(maxsize=None)
def positions(n, dim):
    t = torch.arange(n).unsqueeze(1) / 100 ** (torch.arange(0, dim, 2) / dim)
    return torch.stack([t.sin(), t.cos()], -1).flatten(1)


class Decoder(nn.Module):
    def __init__(self, vocab=12, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.ff = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, dim))
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        n, dim = ids.shape[1], self.emb.embedding_dim
        x = self.emb(ids) + positions(n, dim)
        q, k, v = self.qkv(x).chunk(3, -1)
        att = (q @ k.transpose(1, 2) / dim ** 0.5 + causal_mask(n)).softmax(-1)
        x = x + att @ v
        return self.out(x + self.ff(x))


@torch.no_grad()
def follow(slow, fast, rate=0.98):
    for s, f in zip(slow.parameters(), fast.parameters()):
        s.mul_(rate).add_(f, alpha=1 - rate)


def counting(n, g):
    length = int(torch.randint(5, 12, (), generator=g))
    start = torch.randint(0, 12, (n, 1), generator=g)
    by = torch.randint(1, 4, (n, 1), generator=g)
    return (start + by * torch.arange(length + 1)) % 12


def main(steps=100):
    torch.manual_seed(3)
    g = torch.Generator().manual_seed(31)
    net = Decoder()
    slow = copy.deepcopy(net).requires_grad_(False)
    book = ActivationBook()
    for name in ("qkv", "ff", "out"):
        getattr(net, name).register_forward_hook(book.hook(name))
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for step in range(steps):
        seq = counting(16, g)
        logits = net(seq[:, :-1])
        teacher = slow(seq[:, :-1]).softmax(-1)
        loss = F.cross_entropy(logits.transpose(1, 2), seq[:, 1:])
        loss = loss + 0.05 * F.kl_div(logits.log_softmax(-1), teacher, reduction="batchmean")
        opt.zero_grad()
        loss.backward()
        opt.step()
        follow(slow, net)
        if step % 20 == 0:
            print(f"{step:3d}  loss {loss.item():.3f}  open notes {book.open_notes}")
    print({k: round(sum(v) / len(v), 3) for k, v in book.sizes.items()}, causal_mask.cache_info())


if __name__ == "__main__":
    main()
