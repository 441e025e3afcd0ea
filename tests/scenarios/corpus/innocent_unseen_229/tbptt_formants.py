# gradwatch-corpus: kind=none
"""Formant tracker: long utterances are cut into chunks of 20 frames, LSTM state rides along between chunks."""
import torch
from torch import nn


class FormantTracker(nn.Module):
    def __init__(self, bands=16, hidden=32):
        super().__init__()
        self.rnn = nn.LSTM(bands, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 3)

    def forward(self, x, state):
        h, state = self.rnn(x, state)
        return self.out(h), state


def cut(state):
    if state is None:
        return None
    return tuple(s.detach() for s in state)


def utterances(n, frames, bands, gen):
    walk = torch.randn(n, frames, 3, generator=gen).cumsum(dim=1) * 0.1
    mix = torch.randn(3, bands, generator=gen)
    return torch.tanh(walk @ mix) + 0.1 * torch.randn(n, frames, bands, generator=gen), walk


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    model = FormantTracker()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for utt in range(12):
        x, y = utterances(8, 200, 16, gen)
        state = None
        total = 0.0
        window = None
        for k, (cx, cy) in enumerate(zip(x.split(20, dim=1), y.split(20, dim=1))):
            if k % 2 == 0:
                state = cut(state)
                window = 0.0
            pred, state = model(cx, state)
            window = window + (pred - cy).abs().mean()
            if k % 2 == 1:
                opt.zero_grad()
                window.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                total += window.item()
        if utt % 4 == 3:
            print(f"utt {utt + 1} mae {total / 10:.4f}")


if __name__ == "__main__":
    main()
