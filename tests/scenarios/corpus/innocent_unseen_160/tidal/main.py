# gradwatch-corpus: kind=none
"""Tide residuals; the inputs of every step go into a journal for the later audit."""
import os
import tempfile

import torch
from torch import nn

from journal import Journal
from stations import Stations

torch.manual_seed(53)
torch.set_num_threads(1)

STEPS, HOURS, COUNT = 190, 72, 1100


class TideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(HOURS, 160), nn.GELU(), nn.Linear(160, 96), nn.GELU())
        self.level = nn.Linear(96, 6)

    def forward(self, x):
        return self.level(self.body(x))


def fit(net, stations, journal):
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(STEPS):
        window, ahead = stations.draw(COUNT)
        pred = net(window)
        loss = nn.functional.huber_loss(pred, ahead)
        opt.zero_grad()
        loss.backward()
        opt.step()
        journal.record(step, loss.item(), window=window, pred=pred.detach())
        if step % 60 == 0:
            print(f"{step:4d} huber {loss.item():.4f} journal {journal.megabytes():.1f} MB")


def main():
    net, stations = TideNet(), Stations(HOURS)
    with tempfile.TemporaryDirectory() as folder:
        with Journal(os.path.join(folder, "steps.bin"), every=5) as journal:
            fit(net, stations, journal)
            worst = max(journal.index, key=lambda row: row[1])
            arrays = journal.read(worst[0])
            print("worst step", worst[0], {k: v.shape for k, v in arrays.items()})


if __name__ == "__main__":
    main()
