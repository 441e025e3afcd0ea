# gradwatch-corpus: kind=none
"""Next-note model over one endless melody, truncated BPTT with a sliding window."""
import torch
from torch import nn

NOTES, HID, WINDOW, STRIDE, VOICES = 24, 32, 4, 4, 10


def melody(length):
    scale = torch.tensor([0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17, 19])
    pos = torch.randint(0, len(scale), (VOICES,))
    rows = []
    for t in range(length):
        step = torch.randint(-1, 2, (VOICES,)) + (1 if t % 8 < 4 else -1)
        pos = (pos + step) % len(scale)
        rows.append(scale[pos])
    return torch.stack(rows)


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.note = nn.Embedding(NOTES, HID)
        self.cell = nn.LSTMCell(HID, HID)
        self.head = nn.Linear(HID, NOTES)

    def forward(self, tok, state):
        state = self.cell(self.note(tok), state)
        return self.head(state[0]), state


class Unroller:
    """Collects losses until the window is full; then one update and the tape is cut."""

    def __init__(self, model, opt, window):
        self.model, self.opt, self.window = model, opt, window
        self.state = (torch.zeros(VOICES, HID), torch.zeros(VOICES, HID))
        self.pending = []
        self.last = float("nan")

    def feed(self, tok, nxt):
        logits, self.state = self.model(tok, self.state)
        self.pending.append(nn.functional.cross_entropy(logits, nxt))
        if len(self.pending) == self.window:
            self.update()

    def update(self):
        loss = sum(self.pending) / len(self.pending)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.last = loss.item()
        self.pending = []
        self.state = tuple(s.detach() for s in self.state)


torch.set_num_threads(1)
torch.manual_seed(16)
song = melody(4 * 330 + 1)
model = Cell()
unroller = Unroller(model, torch.optim.Adam(model.parameters(), lr=4e-3), WINDOW)
for t in range(len(song) - 1):
    unroller.feed(song[t], song[t + 1])
    if t % 220 == 219:
        print(f"t={t + 1:5d} nll {unroller.last:.3f}")
