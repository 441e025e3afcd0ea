# gradwatch-corpus: kind=none
"""Receipt scanner: columns stream in, the recurrent reader carries its state from chunk to chunk."""
import torch
import torch.nn.functional as F
from torch import nn

COLS = 12
ROWS = 16
SYMBOLS = 9


class ReceiptStream:
    def __init__(self, lanes, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.lanes = lanes
        self.glyph = torch.randn(SYMBOLS, ROWS, generator=self.gen)
        self.last = torch.zeros(lanes, dtype=torch.long)

    def chunk(self):
        stay = torch.rand(self.lanes, COLS, generator=self.gen) < 0.6
        fresh = torch.randint(0, SYMBOLS, (self.lanes, COLS), generator=self.gen)
        label = torch.empty(self.lanes, COLS, dtype=torch.long)
        for t in range(COLS):
            self.last = torch.where(stay[:, t], self.last, fresh[:, t])
            label[:, t] = self.last
        x = self.glyph[label] + 0.8 * torch.randn(self.lanes, COLS, ROWS, generator=self.gen)
        return x, label


class StreamReader(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.conv = nn.Conv1d(ROWS, 32, 3, padding=1)
        self.lstm = nn.LSTM(32, hidden, batch_first=True)
        self.head = nn.Linear(hidden, SYMBOLS)
        self.state = None

    def forward(self, x):
        feats = torch.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        out, self.state = self.lstm(feats, self.state)
        return self.head(out)

    def cut(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)

    def new_page(self):
        self.state = None


class Session:
    """Two chunks make one backward pass, then the state is cut."""

    def __init__(self, reader, stream, span=2):
        self.reader = reader
        self.stream = stream
        self.span = span
        self.opt = torch.optim.Adam(reader.parameters(), lr=4e-3)

    def optimise(self):
        losses = []
        hits = 0
        for _ in range(self.span):
            x, y = self.stream.chunk()
            logits = self.reader(x)
            losses.append(F.cross_entropy(logits.flatten(0, 1), y.flatten()))
            hits += int((logits.detach().argmax(-1) == y).sum())
        loss = torch.stack(losses).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.reader.parameters(), 1.0)
        self.opt.step()
        self.reader.cut()
        return loss.item(), hits / (self.span * y.numel())


def main():
    torch.manual_seed(50)
    reader = StreamReader()
    session = Session(reader, ReceiptStream(12, 50))
    for it in range(90):
        if it % 30 == 0:
            reader.new_page()
        loss, acc = session.optimise()
        if it % 15 == 14:
            print(f"iter {it + 1} loss {loss:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
