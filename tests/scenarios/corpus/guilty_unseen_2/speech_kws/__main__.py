# gradwatch-corpus: kind=grads-accumulate
"""Keyword spotting (python -m speech_kws)."""
import torch

from .model import DSConv
from .trainer import KWSTrainer


def batches(n, bs=16, mel=20, frames=24, words=6):
    tmpl = torch.randn(words, mel, frames)
    for _ in range(n):
        y = torch.randint(0, words, (bs,))
        yield tmpl[y] + torch.randn(bs, mel, frames), y


if __name__ == "__main__":
    torch.manual_seed(33)
    KWSTrainer(DSConv(20, 6)).fit(batches(150))
