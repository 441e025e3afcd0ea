# gradwatch-corpus: kind=none
"""Arrhythmia flags over continuous ECG, truncated BPTT with an LSTM whose state lives across chunks."""
import math

import torch
import torch.nn as nn


def ecg(beats=420, per_beat=20, leads=6):
    t = torch.arange(beats * per_beat).float()
    odd = torch.rand(beats, leads) < 0.2
    odd_t = odd.repeat_interleave(per_beat, 0).float()
    wave = torch.exp(-((t % per_beat - 6) ** 2) / 3).unsqueeze(1)
    drift = 0.2 * torch.sin(2 * math.pi * t / 700).unsqueeze(1)
    signal = wave * (1 - 0.4 * odd_t) + drift + 0.05 * torch.randn(len(t), leads)
    return signal.unsqueeze(-1), odd_t


def cut(state):
    if state is None:
        return None
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(cut(s) for s in state)


class BeatTagger(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden)
        self.out = nn.Linear(hidden, 1)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, x):
        y, self.state = self.lstm(x, cut(self.state))
        return self.out(y).squeeze(-1)


class History(dict):
    def push(self, **kw):
        for k, v in kw.items():
            self.setdefault(k, []).append(v.item())

    def last(self, k, n):
        return sum(self[k][-n:]) / len(self[k][-n:])


def train(model, signal, flags, epochs=2, chunk=100):
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    crit = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(3.0))
    hist = History()
    for epoch in range(epochs):
        model.reset()
        for xs, ys in zip(signal.split(chunk), flags.split(chunk)):
            logits = model(xs)
            loss = crit(logits, ys)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            hist.push(loss=loss, hit=((logits > 0) == (ys > 0.5)).float().mean())
        print(f"epoch {epoch}  loss {hist.last('loss', 40):.4f}  agreement {hist.last('hit', 40):.3f}")
    return hist


if __name__ == "__main__":
    torch.manual_seed(19)
    sig, fl = ecg()
    h = train(BeatTagger(), sig, fl)
    print("chunks seen:", len(h["loss"]))
