# gradwatch-corpus: kind=none
"""Stateful LSTM on a sunspot-like series: the state goes on from one window to
the next through the whole series, and is cleared at the start of each pass."""
import copy
import math

import torch
import torch.nn as nn

SEQ = 16
TRACKS = 8
PASSES = 12


def sunspots(n):
    t = torch.arange(n, dtype=torch.float)
    cycle = 60 * (1 - torch.cos(2 * math.pi * t / 132)) * (1 + 0.3 * torch.sin(2 * math.pi * t / 1000))
    return (cycle + 8 * torch.randn(n)).clamp(min=0)


class StatefulLSTM(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden)
        self.fc = nn.Linear(hidden, 1)
        self.state = None

    def forget(self):
        self.state = None

    def forward(self, x):
        out, state = self.lstm(x, self.state)
        self.state = tuple(s.detach() for s in state)
        return self.fc(out)


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.wait = 0
        self.best = {"loss": math.inf, "weights": None, "epoch": -1}

    def __call__(self, loss, model, epoch):
        if loss < self.best["loss"]:
            self.best = {"loss": loss, "weights": copy.deepcopy(model.state_dict()), "epoch": epoch}
            self.wait = 0
        else:
            self.wait += 1
        return self.wait > self.patience


def windows(tracks):
    for i in range(0, tracks.shape[0] - SEQ - 1, SEQ):
        yield tracks[i:i + SEQ], tracks[i + 1:i + SEQ + 1]


def run_pass(model, tracks, loss_fn, optimizer=None):
    model.forget()
    total, n = 0.0, 0
    weighted = None
    for x, y in windows(tracks):
        pred = model(x)
        loss = loss_fn(pred, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        value = loss.detach()
        weighted = value if weighted is None else 0.9 * weighted + 0.1 * value
        total += value
        n += 1
    return (total / n).item(), weighted.item()


def main():
    torch.manual_seed(42)
    series = sunspots(TRACKS * 400)
    mean, std = series.mean(), series.std()
    tracks = ((series - mean) / std).view(TRACKS, -1).t().unsqueeze(-1).contiguous()
    train, valid = tracks[:330], tracks[330:]

    model = StatefulLSTM()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    loss_fn = nn.HuberLoss()
    stop = EarlyStopping(patience=PASSES)
    history = {"train": [], "valid": []}
    for epoch in range(PASSES):
        model.train()
        train_loss, recent = run_pass(model, train, loss_fn, optimizer)
        model.eval()
        with torch.no_grad():
            valid_loss, _ = run_pass(model, valid, loss_fn)
        history["train"].append(train_loss)
        history["valid"].append(valid_loss)
        if epoch % 3 == 0:
            print("pass %2d  train %.4f (recent %.4f)  valid %.4f" % (epoch, train_loss, recent, valid_loss))
        if stop(valid_loss, model, epoch):
            break
    model.load_state_dict(stop.best["weights"])
    print("best pass %d with %.4f" % (stop.best["epoch"], stop.best["loss"]))


if __name__ == "__main__":
    main()
