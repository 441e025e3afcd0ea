# gradwatch-corpus: kind=memory-climb
# holder: self._store | bank._store | self.bank._store | train_set.bank._store | ds.bank._store
# first-bad: 1
# notice: 100
"""Keyword spotting on synthetic one-second clips: log-mel front end + small convnet."""
import random

import numpy as np
import torch
import torch.nn.functional as F

from kws.data import ClipSet, batches
from kws.features import FeatureBank
from kws.net import SpotterNet

EPOCHS = 8
BATCH = 8


def main():
    torch.set_num_threads(1)
    random.seed(5)
    np.random.seed(5)
    torch.manual_seed(5)

    bank = FeatureBank(n_fft=256, hop=32, n_mels=40)
    train_set = ClipSet(n_clips=152, n_words=6, bank=bank, rng=np.random.default_rng(5))
    net = SpotterNet(n_mels=40, n_words=6)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS)

    for epoch in range(EPOCHS):
        net.train()
        total, hits, seen = 0.0, 0, 0
        for x, y in batches(train_set, BATCH):
            logits = net(x)
            loss = F.cross_entropy(logits, y, label_smoothing=0.05)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            seen += len(y)
        sched.step()
        print(f"epoch {epoch:2d}  loss {total / seen:.4f}  acc {hits / seen:.3f}")


if __name__ == "__main__":
    main()
