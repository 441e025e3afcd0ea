# gradwatch-corpus: kind=second-backward
# holder: self._kernels | self.ssm._kernels | model.layers[0].ssm._kernels | model.layers[1].ssm._kernels
# first-bad: 4
"""Diagonal SSM classifier on variable-length delimiter counting."""
import functools
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

REGISTRY = {}


def register(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


class KernelCacheMixin:
    """Stores convolution kernels by sequence length."""

    def kernel_for(self, L):
        if not hasattr(self, "_kernels"):
            self._kernels = {}
        if L not in self._kernels:  # <- culprit
            self._kernels[L] = self.build_kernel(L)  # <- culprit
        return self._kernels[L]


@register("s4d")
class S4D(KernelCacheMixin, nn.Module):
    def __init__(self, d, n=16):
        super().__init__()
        self.log_dt = nn.Parameter(torch.rand(d) * (math.log(0.1) - math.log(0.001)) + math.log(0.001))
        self.log_a_real = nn.Parameter(torch.log(0.5 * torch.ones(d, n)))
        self.a_imag = nn.Parameter(math.pi * torch.arange(n).float().repeat(d, 1))
        self.C = nn.Parameter(torch.randn(d, n, 2) * 0.5 ** 0.5)
        self.D = nn.Parameter(torch.randn(d))

    def build_kernel(self, L):
        dt = self.log_dt.exp()
        A = torch.complex(-self.log_a_real.exp(), self.a_imag)
        dtA = A * dt[:, None]
        C = torch.view_as_complex(self.C) * (dtA.exp() - 1) / A
        K = dtA[..., None] * torch.arange(L)
        return 2 * torch.einsum("dn,dnl->dl", C, K.exp()).real

    def forward(self, u):
        L = u.shape[-1]
        k = self.kernel_for(L)
        y = torch.fft.irfft(torch.fft.rfft(u, n=2 * L) * torch.fft.rfft(k, n=2 * L), n=2 * L)[..., :L]
        return y + u * self.D[:, None]


class Layer(nn.Module):
    def __init__(self, d, kind="s4d"):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.ssm = REGISTRY[kind](d)
        self.mix = nn.Conv1d(d, 2 * d, 1)

    def forward(self, x):
        y = self.ssm(self.norm(x.transpose(1, 2)).transpose(1, 2))
        return x + F.glu(self.mix(F.gelu(y)), dim=1)


class Classifier(nn.Module):
    def __init__(self, vocab=8, d=24, depth=2, classes=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(Layer(d) for _ in range(depth))
        self.head = nn.Linear(d, classes)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        for l in self.layers:
            h = l(h)
        return self.head(h.mean(-1))


def batches(lengths, steps, bs=12):
    rng = random.Random(4)
    order = list(lengths)
    for i in range(steps):
        if i % len(order) == 0:
            rng.shuffle(order)
        L = order[i % len(order)]
        ids = torch.randint(0, 8, (bs, L))
        yield ids, (ids == 3).sum(1) % 5


def train(steps=80):
    torch.manual_seed(4)
    model = Classifier()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    lossf = functools.partial(F.cross_entropy, label_smoothing=0.05)
    for i, (ids, y) in enumerate(batches((32, 48, 64, 96), steps)):
        logits = model(ids)
        loss = lossf(logits, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print("iter", i, "len", ids.shape[1], "loss", round(loss.item(), 4))


if __name__ == "__main__":
    train()
