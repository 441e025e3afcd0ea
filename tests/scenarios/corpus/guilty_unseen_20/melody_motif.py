# gradwatch-corpus: kind=graph-chain
# holder: current_motif | current_motif.get() | motif | fresh
# first-bad: 1
"""Bar-by-bar melody model: a GRU reads a bar, conditioned on a slowly moving motif
vector of the tune so far, and predicts the following note at every position."""
import contextlib
import contextvars

import torch
from torch import nn
from torch.nn import functional as F

PITCHES = 38        # 36 keys, rest, tie
BAR = 16
WIDTH = 32
PLAYERS = 8

current_motif: contextvars.ContextVar = contextvars.ContextVar("current_motif")


@contextlib.contextmanager
def session(players):
    """Everything inside plays in one sitting and shares the motif."""
    token = current_motif.set(torch.zeros(players, WIDTH))
    try:
        yield
    finally:
        current_motif.reset(token)


class MotifMixin:
    """Keeps the motif of the running session up to date."""

    inertia = 0.85

    def absorb(self, embedded):
        motif = current_motif.get()
        fresh = torch.lerp(embedded.mean(dim=1), motif, self.inertia)
        current_motif.set(fresh)  # <- culprit
        return fresh


class MelodyModel(MotifMixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.notes = nn.Embedding(PITCHES, WIDTH)
        self.gru = nn.GRU(2 * WIDTH, 48, batch_first=True)
        self.pitch_head = nn.Linear(48, PITCHES)
        self.stress_head = nn.Linear(48, 2)

    def forward(self, bar):
        e = self.notes(bar)
        motif = self.absorb(e)
        h, _ = self.gru(torch.cat([e, motif.unsqueeze(1).expand_as(e)], dim=-1))
        return self.pitch_head(h), self.stress_head(h)


class TuneBook:
    """Endless tunes in random modes; each player has its own."""

    MODES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 9, 10), (0, 2, 4, 7, 9))

    def __init__(self, players, seed):
        self.gen = torch.Generator().manual_seed(seed)
        picks = torch.randint(len(self.MODES), (players,), generator=self.gen).tolist()
        self.scales = [torch.tensor([o + s for o in (0, 12, 24) for s in self.MODES[p]]) for p in picks]
        self.degree = torch.full((players,), 7)

    def bar(self):
        out = torch.empty(len(self.scales), BAR + 1, dtype=torch.long)
        for p, scale in enumerate(self.scales):
            steps = torch.randint(-2, 3, (BAR + 1,), generator=self.gen).cumsum(0)
            path = (self.degree[p] + steps).clamp(0, len(scale) - 1)
            self.degree[p] = path[-1]
            out[p] = scale[path]
        rests = torch.rand(out.shape, generator=self.gen) < 0.06
        return out.masked_fill(rests, 36)


def stress_targets(bar):
    pos = torch.arange(bar.shape[1])
    return ((pos % 4 == 0) & (bar != 36)).long()


def bar_loss(model, bar):
    src, tgt = bar[:, :-1], bar[:, 1:]
    pitch, stress = model(src)
    return F.cross_entropy(pitch.transpose(1, 2), tgt) + 0.3 * F.cross_entropy(
        stress.transpose(1, 2), stress_targets(src)
    )


def practise(model, book, bars):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    smooth = None
    for n in range(bars):
        loss = bar_loss(model, book.bar())
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if n % 50 == 0:
            print(f"bar {n:4d}  loss {smooth:.3f}")


if __name__ == "__main__":
    torch.manual_seed(440)
    with session(PLAYERS):
        practise(MelodyModel(), TuneBook(PLAYERS, seed=12), bars=220)
