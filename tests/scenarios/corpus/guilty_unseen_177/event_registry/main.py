# gradwatch-corpus: kind=graph-held
# holder: events.BY_EPOCH | BY_EPOCH | BY_EPOCH[epoch]
# first-bad: 1
"""Prosody segmenter: a small temporal convolution labels syllable nuclei."""
import torch
from torch import nn
from torch.nn import functional as F

import events
from speech import Utterances


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.local = nn.Conv1d(4, 16, 5, padding=2)
        self.wide = nn.Conv1d(16, 16, 5, padding=4, dilation=2)
        self.head = nn.Conv1d(16, 1, 1)

    def forward(self, x):
        h = F.silu(self.local(x))
        return self.head(h + F.silu(self.wide(h))).squeeze(1)


def run_epoch(epoch, model, opt, data):
    for x, y in data.epoch(batches=60, size=8):
        logits = model(x)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        events.record(epoch, loss=loss, positive=(logits > 0).float().mean())
    return events.summary(epoch)


def main():
    torch.manual_seed(67)
    data = Utterances(seed=68, frames=48)
    model = Segmenter()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(9):
        print(epoch, run_epoch(epoch, model, opt, data))
    print("best epoch", events.best("loss"))


if __name__ == "__main__":
    main()
