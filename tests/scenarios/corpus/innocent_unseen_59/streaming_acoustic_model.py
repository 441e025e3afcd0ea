# gradwatch-corpus: kind=none
"""Streaming phone recognition: long recordings are cut into chunks and the LSTM's
state goes from one chunk to the next within a recording (truncated BPTT).
"""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


class CarriedStateMixin:
    """Holds the recurrent state between calls.

    What is stored is whatever the last call returned; it is cut off from its
    graph at the moment it's taken up again.
    """

    _carried = None

    def take_state(self, continues):
        if self._carried is None:
            return None
        keep = continues.view(1, -1, 1).float()
        return tuple(keep * s.detach() for s in self._carried)

    def put_state(self, state):
        self._carried = state

    def drop_state(self):
        self._carried = None


class AcousticModel(CarriedStateMixin, nn.Module):
    def __init__(self, mels, width, phones):
        super().__init__()
        self.front = nn.Linear(mels, width)
        self.rnn = nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.out = nn.Linear(width, phones)

    def forward(self, chunk, continues):
        h, state = self.rnn(torch.tanh(self.front(chunk)), self.take_state(continues))
        self.put_state(state)
        return self.out(h)


class Recordings:
    """`lanes` parallel recordings of random lengths; a lane restarts when one ends."""

    def __init__(self, lanes, chunk, mels, phones, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.lanes, self.chunk, self.phones = lanes, chunk, phones
        self.template = torch.randn(phones, mels, generator=self.gen)
        self.left = torch.zeros(lanes, dtype=torch.long)

    def __iter__(self):
        return self

    def __next__(self):
        continues = self.left > 0
        fresh = torch.randint(3, 9, (self.lanes,), generator=self.gen)
        self.left = torch.where(continues, self.left, fresh) - 1
        label = torch.randint(self.phones, (self.lanes, self.chunk // 4), generator=self.gen)
        label = label.repeat_interleave(4, dim=1)
        frames = self.template[label]
        frames = frames + 0.7 * torch.randn(frames.shape, generator=self.gen)
        return frames, label, continues


class RunningScore:
    """Smoothed frame error rate and loss, plain floats."""

    def __init__(self, momentum=0.95):
        self.momentum = momentum
        self.values = {}

    def update(self, **new):
        for k, v in new.items():
            v = float(v)
            old = self.values.get(k, v)
            self.values[k] = self.momentum * old + (1 - self.momentum) * v

    def __str__(self):
        return " ".join(f"{k}={v:.4f}" for k, v in self.values.items())


def train(model, recordings, steps, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    score = RunningScore()
    for step in range(steps):
        frames, label, continues = next(recordings)
        logits = model(frames, continues)
        loss = F.cross_entropy(logits.flatten(0, 1), label.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        score.update(loss=loss, fer=(logits.argmax(-1) != label).float().mean())
        if step % 40 == 0:
            print(step, score)
    model.drop_state()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=180)
    ap.add_argument("--lanes", type=int, default=6)
    ap.add_argument("--chunk", type=int, default=20)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    train(AcousticModel(16, 24, 7), Recordings(args.lanes, args.chunk, 16, 7, 1), args.steps, 3e-3)


if __name__ == "__main__":
    main()
