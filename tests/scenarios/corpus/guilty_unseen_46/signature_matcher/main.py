# gradwatch-corpus: kind=graph-held
# holder: self.bank | miner.bank | miner
# first-bad: 1
# Siamese network for forged signatures (synthetic strokes), contrastive loss
# with the hardest negatives looked up in a bank of the newest embeddings.
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from mining import NegativeMiner
from strokes import SignatureSet

random.seed(9)
np.random.seed(9)
torch.manual_seed(9)

WRITERS = 24
BATCH = 12
ITERS = 90
MARGIN = 1.0


class SiameseNetwork(nn.Module):
    def __init__(self):
        super(SiameseNetwork, self).__init__()
        self.cnn1 = nn.Sequential(
            nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(6, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.fc1 = nn.Sequential(nn.Linear(12 * 6 * 6, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward_once(self, x):
        out = self.cnn1(x)
        return F.normalize(self.fc1(out.view(out.size(0), -1)))

    def forward(self, a, b):
        return self.forward_once(a), self.forward_once(b)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def forward(self, o1, o2, label):
        d = F.pairwise_distance(o1, o2)
        return torch.mean(label * d.pow(2) + (1 - label) * torch.clamp(self.margin - d, min=0).pow(2))


data = SignatureSet(WRITERS, per_writer=10)
net = SiameseNetwork()
criterion = ContrastiveLoss(MARGIN)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
miner = NegativeMiner(data.n_writers)

began = time.time()
history = []
for it in range(ITERS):
    writers = random.sample(range(WRITERS), BATCH)
    left = data.draw(writers)
    genuine = it % 2 == 0
    partners = writers if genuine else [miner.hardest(w) for w in writers]
    right = data.draw(partners)
    label = torch.full((BATCH,), float(genuine))

    emb_l, emb_r = net(left, right)
    loss = criterion(emb_l, emb_r, label)
    opt.zero_grad()
    loss.backward()
    opt.step()

    miner.update(writers, emb_l)  # <- culprit
    history.append(loss.item())
    if it % 15 == 14:
        print("it %d  genuine %.4f  forged %.4f" % (it + 1, np.mean(history[0::2][-7:]), np.mean(history[1::2][-7:])))

print("%d iterations in %.1f s" % (ITERS, time.time() - began))
