# gradwatch-corpus: kind=inplace-modified
# holder: self.state | model.state
# first-bad: 1
import argparse
import math

import torch
import torch.nn as nn


class HeartStream:
    """Patients in parallel, each call gives the next piece of the recording."""

    def __init__(self, patients, piece):
        self.patients = patients
        self.piece = piece
        self.phase = torch.rand(patients, 1)
        self.rate = 0.9 + 0.4 * torch.rand(patients, 1)

    def next(self):
        t = torch.arange(self.piece + 1) / 50.0
        ph = (self.phase + self.rate * t) % 1.0
        qrs = torch.exp(-((ph - 0.3) ** 2) / 0.0008)
        twave = 0.3 * torch.exp(-((ph - 0.6) ** 2) / 0.006)
        wander = 0.1 * torch.sin(2 * math.pi * 0.2 * t)
        sig = qrs + twave + wander + 0.02 * torch.randn_like(ph)
        self.phase = (self.phase + self.rate * self.piece / 50.0) % 1.0
        return sig[:, :-1].unsqueeze(-1), sig[:, 1:].unsqueeze(-1)


class StatefulGRU(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(1, hidden)
        self.readout = nn.Linear(hidden, 1)
        self.state = None

    def reset(self, n):
        self.state = torch.zeros(n, self.hidden)

    def forward(self, x):
        h = self.state
        outs = []
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
            outs.append(self.readout(h))
        self.state = h  # <- culprit
        return torch.stack(outs, dim=1)


def train(args):
    stream = HeartStream(args.patients, args.piece)
    model = StatefulGRU(args.hidden)
    model.reset(args.patients)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.MSELoss()
    for step in range(args.steps):
        x, y = stream.next()
        y_hat = model(x)
        loss = criterion(y_hat, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        if step % 10 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--patients", type=int, default=8)
    parser.add_argument("--piece", type=int, default=25)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--lr", type=float, default=5e-3)
    torch.manual_seed(21)
    train(parser.parse_args([]))
