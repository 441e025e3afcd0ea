# gradwatch-corpus: kind=graph-held
# holder: suspicious | suspicious[0].__traceback__ | suspicious[-1].__traceback__ | err | err.__traceback__ | err.__traceback__.tb_frame.f_locals
# first-bad: 11
# notice: 8
"""Crop-yield regression from weekly weather; batches with odd readings are noted for the agronomists."""
import statistics
from collections import deque

import torch
from torch import nn


class OddBatch(Exception):
    def __init__(self, field_ids, ratio):
        super().__init__(f"fields {field_ids[:3]}... at {ratio:.2f}x the usual error")
        self.field_ids = field_ids
        self.ratio = ratio


class YieldNet(nn.Module):
    def __init__(self, weeks=20, channels=3):
        super().__init__()
        self.conv = nn.Conv1d(channels, 8, 5, stride=2)
        self.head = nn.Linear(8, 1)

    def forward(self, weather):
        return self.head(torch.relu(self.conv(weather)).mean(-1)).squeeze(-1)


def season(gen, n=16):
    weather = torch.randn(n, 3, 20, generator=gen)
    crop = weather[:, 0].mean(-1) * 2 - weather[:, 1, 8:14].mean(-1)
    if torch.rand((), generator=gen) < 0.35:      # a broken gauge somewhere
        crop = crop + torch.randn(n, generator=gen) * 1.5
    ids = torch.randint(0, 5000, (n,), generator=gen).tolist()
    return ids, weather, crop


class Fitter:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=4e-3)
        self.recent = deque(maxlen=25)

    def check(self, ids, error):
        if len(self.recent) >= 10:
            usual = statistics.median(self.recent)
            if error > 1.6 * usual:
                raise OddBatch(ids, error / usual)
        self.recent.append(error)

    def fit(self, ids, weather, crop):
        guess = self.net(weather)
        loss = nn.functional.mse_loss(guess, crop)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.check(ids, loss.item())  # <- culprit
        return guess.detach()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(41)
    gen = torch.Generator().manual_seed(42)
    fitter = Fitter(YieldNet())
    suspicious = []
    for it in range(600):
        ids, weather, crop = season(gen)
        try:
            fitter.fit(ids, weather, crop)
        except OddBatch as err:
            suspicious.append(err)  # <- culprit
        if it % 100 == 99:
            print(f"{it + 1:4d}  usual error {statistics.median(fitter.recent):.4f}  noted {len(suspicious)}")
    worst = max(suspicious, key=lambda e: e.ratio)
    print("to be looked at first:", worst)


if __name__ == "__main__":
    main()
