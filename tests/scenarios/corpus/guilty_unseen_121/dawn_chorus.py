# gradwatch-corpus: kind=graph-held
# holder: self.total | dev_meter.total | meters["dev"].total
# first-bad: 3
# notice: 8
# Bird species from short mel patches, attention pooling over frames.
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(64)

SPECIES, MEL, FRAMES = 4, 10, 14


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n):
        self.total += value * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return float(self.total) / max(1, self.count)


class AttnPool(nn.Module):
    def __init__(self):
        super().__init__()
        self.frame = nn.Linear(MEL, 12)
        self.score = nn.Linear(12, 1)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(12, SPECIES)

    def forward(self, mel):
        h = torch.tanh(self.frame(mel))
        a = self.score(h).softmax(dim=1)
        return self.head(self.drop((a * h).sum(1)))


def recordings(n):
    who = torch.randint(SPECIES, (n,))
    mel = 0.6 * torch.randn(n, FRAMES, MEL)
    start = torch.randint(FRAMES - 4, (n,))
    for i in range(n):
        mel[i, start[i]:start[i] + 4, 2 * int(who[i])] += 1.5
    return TensorDataset(mel, who)


train = DataLoader(recordings(240), batch_size=16, shuffle=True)
dev = DataLoader(recordings(64), batch_size=16)
dev_cycle = itertools.cycle(dev)
net = AttnPool()
adam = torch.optim.Adam(net.parameters(), lr=4e-3)
meters = {"train": Meter(), "dev": Meter()}

step = 0
for epoch in range(40):
    for mel, who in train:
        adam.zero_grad()
        loss = F.cross_entropy(net(mel), who)
        loss.backward()
        adam.step()
        meters["train"].update(loss.item(), len(who))
        if step % 3 == 2:
            net.eval()
            dmel, dwho = next(dev_cycle)
            meters["dev"].update(F.cross_entropy(net(dmel), dwho), len(dwho))  # <- culprit
            net.train()
        step += 1
    if epoch % 10 == 9:
        print(epoch + 1, *(f"{k} {m.avg:.3f}" for k, m in meters.items()))
