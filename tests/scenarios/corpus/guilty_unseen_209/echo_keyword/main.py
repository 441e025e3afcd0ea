# gradwatch-corpus: kind=memory-climb
# first-bad: 1
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from frontend import Augment, FeatureCache, log_spectrogram
from words import WordSet


class Spotter(nn.Module):
    def __init__(self, bins: int, classes: int):
        super().__init__()
        self.a = nn.Conv2d(1, 8, 3, stride=2)
        self.b = nn.Conv2d(8, 16, 3, stride=2)
        self.fc = nn.Linear(16, classes)

    def forward(self, spec):
        h = F.relu(self.b(F.relu(self.a(spec[:, None]))))
        return self.fc(h.mean((2, 3)))


def main(steps: int = 600, batch: int = 16) -> None:
    rng = random.Random(8)
    torch.manual_seed(8)
    words = WordSet(n=64, classes=6, length=3200)
    cache = FeatureCache(lambda wave: log_spectrogram(wave, n_fft=64, hop=32))
    augment = Augment(rng, max_shift=160, gain=(0.6, 1.4))
    net = Spotter(bins=33, classes=6)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        picks = rng.sample(range(len(words)), batch)
        feats, ys = [], []
        for i in picks:
            wave, y = words[i]
            feats.append(cache.get(i, wave, augment.draw()))
            ys.append(y)
        logits = net(torch.stack(feats))
        loss = F.cross_entropy(logits, torch.tensor(ys))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(f"{step:4d} loss {loss.item():.3f} cache hit rate {cache.hit_rate:.2f}")


if __name__ == "__main__":
    main()
