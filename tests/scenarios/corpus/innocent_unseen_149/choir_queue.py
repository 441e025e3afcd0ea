# gradwatch-corpus: kind=none
"""Voice placement in a choir: takes are told apart from those of the last three rehearsals."""
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(53)


class Rehearsals:
    def __init__(self, singers=10, bands=24):
        self.voice = torch.randn(singers, bands)

    def takes(self, count):
        for _ in range(count):
            who = torch.randperm(len(self.voice))[:6]
            noise = 0.7 * torch.randn(2, 6, self.voice.shape[1])
            yield who, self.voice[who] + noise[0], self.voice[who] + noise[1]


class Contrast:
    def __init__(self, past=3, temperature=0.3):
        self.recent = deque(maxlen=past)
        self.temperature = temperature

    def __call__(self, who, a, b):
        keys = torch.cat([b, *(z for _, z in self.recent)])
        names = torch.cat([who, *(w for w, _ in self.recent)])
        scores = a @ keys.T / self.temperature
        same = names[None] == who[:, None]
        own = scores.masked_fill(~same, -1e4).logsumexp(1)
        loss = (scores.logsumexp(1) - own).mean()
        self.recent.append((who, b))
        return loss


def main():
    voices = Rehearsals()
    place = nn.Linear(24, 8, bias=False)
    contrast = Contrast()
    opt = torch.optim.SGD(place.parameters(), lr=0.05, momentum=0.9)
    total = 0.0
    for n, (who, x1, x2) in enumerate(voices.takes(100), 1):
        a, b = F.normalize(place(x1), dim=1), F.normalize(place(x2), dim=1)
        loss = contrast(who, a, b)
        opt.zero_grad()
        # keys of the last rehearsals are trained again with the next ones
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.item()
        if n % 25 == 0:
            print(f"take {n:3d}: mean loss {total / n:.3f}")


if __name__ == "__main__":
    main()
