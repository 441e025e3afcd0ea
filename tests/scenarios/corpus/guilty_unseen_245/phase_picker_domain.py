# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
"""P-phase picking with a station classifier that is confused after a burn-in."""
import argparse

import torch
from torch import nn
from torch.nn import functional as F


class Array:
    def __init__(self, n_stations, samples):
        self.n_stations = n_stations
        self.samples = samples
        self.site_gain = 0.5 + torch.rand(n_stations)
        self.site_tone = 0.05 + 0.2 * torch.rand(n_stations)

    def events(self, n):
        station = torch.randint(0, self.n_stations, (n,))
        onset = torch.randint(20, self.samples - 40, (n,))
        t = torch.arange(self.samples).float()
        since = t - onset[:, None].float()
        pulse = torch.exp(-since.clamp(min=0) / 12) * torch.sin(since * 0.8) * (since > 0)
        hum = 0.4 * torch.sin(t * self.site_tone[station][:, None])
        trace = self.site_gain[station][:, None] * pulse + hum + 0.2 * torch.randn(n, self.samples)
        return trace, onset, station


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv1d(1, width, 9, padding=4)
        self.second = nn.Conv1d(width, width, 9, padding=4)

    def forward(self, trace):
        h = F.elu(self.first(trace.unsqueeze(1)))
        return F.elu(self.second(h))


class PickHead(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.pick = nn.Conv1d(width, 1, 5, padding=2)

    def forward(self, h):
        return self.pick(h).squeeze(1)


class StationHead(nn.Module):
    def __init__(self, width, n_stations):
        super().__init__()
        self.hidden = nn.Linear(width, width)
        self.station = nn.Linear(width, n_stations)

    def forward(self, h):
        z = torch.tanh(self.hidden(h.mean(dim=2)))
        return self.station(z)


class PickerTraining:
    def __init__(self, array, width, burn_in, lr):
        self.array = array
        self.burn_in = burn_in
        self.encoder = Encoder(width)
        self.picker = PickHead(width)
        self.stations = StationHead(width, array.n_stations)
        picker_params = list(self.encoder.parameters()) + list(self.picker.parameters())
        self.pick_opt = torch.optim.Adam(picker_params, lr=lr)
        self.station_opt = torch.optim.Adam(self.stations.parameters(), lr=lr)

    def iterate(self, it, n):
        trace, onset, station = self.array.events(n)
        h = self.encoder(trace)

        seen = self.stations(h.detach())
        station_loss = F.cross_entropy(seen, station)
        if it < self.burn_in:
            self.station_opt.zero_grad()
            station_loss.backward()
            self.station_opt.step()
            confusion = torch.zeros(())
        else:
            guess = self.stations(h)  # <- culprit
            confusion = -F.cross_entropy(guess, station)  # <- culprit
            self.station_opt.zero_grad()
            station_loss.backward()
            self.station_opt.step()  # <- culprit

        pick_loss = F.cross_entropy(self.picker(h), onset)
        objective = pick_loss + 0.05 * confusion
        self.pick_opt.zero_grad()
        objective.backward()
        self.pick_opt.step()
        return pick_loss.item(), station_loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stations", type=int, default=6)
    parser.add_argument("--samples", type=int, default=160)
    parser.add_argument("--width", type=int, default=12)
    parser.add_argument("--events", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--burn-in", type=int, default=30)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()

    torch.manual_seed(88)
    array = Array(args.stations, args.samples)
    training = PickerTraining(array, args.width, args.burn_in, args.lr)
    for it in range(args.iterations):
        pick_loss, station_loss = training.iterate(it, args.events)
        if it % 10 == 0:
            print(f"{it:4d}  pick {pick_loss:.3f}  station {station_loss:.3f}")


if __name__ == "__main__":
    main()
