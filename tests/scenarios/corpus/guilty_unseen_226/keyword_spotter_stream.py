# gradwatch-corpus: kind=second-backward
# holder: self.c | spotter.c
# first-bad: 1
"""Streaming keyword spotter: 40 ms chunks of filterbank frames, the recogniser keeps its state."""
import torch
import torch.nn as nn

N_MEL = 20
CHUNK = 12
SPEAKERS = 10


class FakeMicrophones:
    """Each speaker says the keyword now and then; the label per frame says if it is sounding."""

    def __init__(self, speakers, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.pattern = torch.randn(9, N_MEL, generator=self.gen)
        self.left = torch.zeros(speakers, dtype=torch.long)

    def chunk(self):
        n = self.left.numel()
        feats = 0.7 * torch.randn(n, CHUNK, N_MEL, generator=self.gen)
        label = torch.zeros(n, CHUNK)
        for t in range(CHUNK):
            start = (self.left == 0) & (torch.rand(n, generator=self.gen) < 0.06)
            self.left[start] = len(self.pattern)
            on = self.left > 0
            pos = len(self.pattern) - self.left[on]
            feats[on, t] += self.pattern[pos]
            label[on, t] = 1.0
            self.left[on] -= 1
        return feats, label


class Spotter(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.front = nn.Linear(N_MEL, hidden)
        self.cell = nn.LSTMCell(hidden, hidden)
        self.score = nn.Linear(hidden, 1)
        self.hidden = hidden
        self.h = None
        self.c = None

    def reset(self, n):
        self.h = torch.zeros(n, self.hidden)
        self.c = torch.zeros(n, self.hidden)

    def forward(self, feats):
        h = self.h
        c = self.c  # <- culprit
        outs = []
        for frame in feats.unbind(1):
            h, c = self.cell(torch.relu(self.front(frame)), (h, c))
            outs.append(self.score(h))
        self.h = h.detach()
        self.c = c  # <- culprit
        return torch.cat(outs, dim=1)


def main():
    torch.manual_seed(77)
    mics = FakeMicrophones(SPEAKERS, seed=77)
    spotter = Spotter()
    spotter.reset(SPEAKERS)
    crit = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(2.0))
    opt = torch.optim.Adam(spotter.parameters(), lr=3e-3)
    history = {"loss": [], "f1": []}
    for k in range(120):
        feats, label = mics.chunk()
        logit = spotter(feats)
        loss = crit(logit, label)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(spotter.parameters(), 1.0)
        opt.step()
        fired = logit.detach() > 0
        tp = (fired & (label > 0)).sum().item()
        f1 = 2 * tp / max(fired.sum().item() + label.sum().item(), 1)
        history["loss"].append(loss.item())
        history["f1"].append(f1)
        if k % 20 == 0:
            print(f"chunk {k:3d} loss {loss.item():.4f} f1 {f1:.3f}")
    print("mean f1 over the last 20:", sum(history["f1"][-20:]) / 20)


main()
