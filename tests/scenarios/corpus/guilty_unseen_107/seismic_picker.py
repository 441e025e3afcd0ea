# gradwatch-corpus: kind=graph-held
# holder: desk.incidents | self.incidents | incident.loss | incident.probs | self.loss | self.probs
# first-bad: 24
# notice: 8
"""P-wave arrival picker on short seismograms.

Windows whose loss is far above the usual are handed to an analyst desk: the guard raises,
the loop catches it, the window is skipped and filed for the end-of-run review.
"""
import random
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F

LENGTH = 64


class SuspectWindow(Exception):
    def __init__(self, station, loss, probs):
        super().__init__(f"{station}: arrival is doubtful")
        self.station = station
        self.loss = loss  # <- culprit
        self.probs = probs  # <- culprit


class Picker(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, ch, 7, padding=3), nn.ReLU(),
            nn.Conv1d(ch, ch, 5, padding=2), nn.ReLU(),
            nn.Conv1d(ch, 1, 1),
        )

    def forward(self, trace):
        return self.net(trace.unsqueeze(1)).squeeze(1)


class Desk:
    """Collects what the guard threw out."""

    def __init__(self):
        self.incidents = []

    def file(self, incident):
        self.incidents.append(incident)  # <- culprit

    def review(self):
        by_station = Counter(i.station for i in self.incidents)
        worst = max(self.incidents, key=lambda i: i.loss.item())
        print(f"{len(self.incidents)} doubtful windows; by station {dict(by_station)}")
        print(f"worst: {worst.station} loss {worst.loss.item():.2f} peak prob {worst.probs.max().item():.2f}")


STATIONS = ["BRN", "ZUR", "DAV", "SIO"]


def windows(n, batch, rng):
    for k in range(n):
        arrival = torch.randint(8, LENGTH - 16, (batch,))
        t = torch.arange(LENGTH).unsqueeze(0)
        after = (t >= arrival.unsqueeze(1)).float()
        trace = 0.15 * torch.randn(batch, LENGTH) + after * torch.sin(0.9 * (t - arrival.unsqueeze(1)))
        arrival = arrival + torch.randint(-2, 3, (batch,))      # analysts differ by a sample or two
        if k >= 20 and k % 4 == 3:  # a noisy site: the clock slips
            arrival = (arrival + 20) % LENGTH
        yield rng.choice(STATIONS), trace, arrival


def guarded_loss(model, station, trace, arrival, usual):
    logits = model(trace)
    loss = F.cross_entropy(logits, arrival)
    probs = logits.softmax(-1)
    if usual is not None and loss.item() > 1.5 * usual:
        raise SuspectWindow(station, loss, probs)  # <- culprit
    return loss


def main(n_windows=480):
    torch.set_num_threads(1)
    torch.manual_seed(8)
    rng = random.Random(8)
    model = Picker()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    desk = Desk()
    usual = None
    done = 0
    for station, trace, arrival in windows(n_windows, 12, rng):
        try:
            loss = guarded_loss(model, station, trace, arrival, usual)
        except SuspectWindow as incident:
            desk.file(incident)  # <- culprit
            continue
        opt.zero_grad()
        loss.backward()
        opt.step()
        done += 1
        usual = loss.item() if usual is None else 0.9 * usual + 0.1 * loss.item()
        if done % 80 == 0:
            print(f"{done} updates, usual loss {usual:.3f}, filed {len(desk.incidents)}")
    desk.review()


if __name__ == "__main__":
    main()
