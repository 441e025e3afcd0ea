# gradwatch-corpus: kind=graph-held
# holder: self.level | gate.level | session.gate.level
# first-bad: 5
# notice: 8
"""Next-chord prediction with a one-block transformer; the rate drops on plateaus."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(440)

CHORDS = 7
MOVES = torch.tensor([[3, 4, 5], [4, 0, 6], [5, 3, 1], [4, 0, 1], [0, 5, 3], [1, 3, 2], [0, 2, 5]])


def progressions(n, length):
    out = torch.zeros(n, length, dtype=torch.long)
    out[:, 0] = torch.randint(CHORDS, (n,))
    for t in range(1, length):
        out[:, t] = MOVES[out[:, t - 1], torch.multinomial(torch.tensor([0.7, 0.2, 0.1]), n, replacement=True)]
    return out


class ChordModel(nn.Module):
    def __init__(self, d=16, length=9):
        super().__init__()
        self.tok = nn.Embedding(CHORDS, d)
        self.pos = nn.Parameter(0.02 * torch.randn(length, d))
        self.attn = nn.MultiheadAttention(d, 2, batch_first=True)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.to_chord = nn.Linear(d, CHORDS)

    def forward(self, seq):
        L = seq.shape[1]
        h = self.tok(seq) + self.pos[:L]
        mask = torch.triu(torch.full((L, L), float("-inf")), 1)
        a, _ = self.attn(h, h, h, attn_mask=mask, need_weights=False)
        h = h + a
        return self.to_chord(h + self.ff(h))


class PlateauGate:
    """Lowers the learning rate when the smoothed dev loss stops falling."""

    def __init__(self, opt, smooth=0.8, patience=12, factor=0.7):
        self.opt, self.smooth, self.patience, self.factor = opt, smooth, patience, factor
        self.level = None
        self.low, self.stale = float("inf"), 0

    def observe(self, value):
        if self.level is None:
            self.level = value
        else:
            self.level = self.smooth * self.level + (1 - self.smooth) * value  # <- culprit
        now = float(self.level)
        if now < self.low - 1e-3:
            self.low, self.stale = now, 0
            return
        self.stale += 1
        if self.stale > self.patience:
            self.stale = 0
            for group in self.opt.param_groups:
                group["lr"] *= self.factor


class Session:
    def __init__(self):
        self.model = ChordModel()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.gate = PlateauGate(self.opt)
        self.dev = progressions(24, 9)

    def nll(self, seq):
        logits = self.model(seq[:, :-1])
        return nn.functional.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())

    def play(self, bars):
        for bar in range(bars):
            self.opt.zero_grad()
            self.nll(progressions(12, 9)).backward()
            self.opt.step()
            if bar % 5 == 4:
                self.gate.observe(self.nll(self.dev))  # <- culprit
        return self.gate.low


session = Session()
print("smoothed dev nll", round(session.play(700), 4), "rate", session.opt.param_groups[0]["lr"])
