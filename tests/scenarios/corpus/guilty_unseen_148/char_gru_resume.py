# gradwatch-corpus: kind=second-backward
# holder: self.h | carrier.h
# first-bad: 31
# notice: 0
"""Character GRU with state carried between windows and a validation pass between epochs."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)

TEXT = ("the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. "
        "how vexingly quick daft zebras jump! ") * 20
CHARS = sorted(set(TEXT))
IDS = torch.tensor([CHARS.index(c) for c in TEXT])


class CharGRU(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, x, h):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


class StateCarrier:
    """Keeps the hidden state between windows; can be parked while another stream is read."""

    def __init__(self):
        self.h = None
        self.parked = []
        self.resumed = False

    def get(self):
        return self.h

    def put(self, h):
        if self.resumed:
            self.h = h  # <- culprit
        else:
            self.h = h.detach()

    def park(self):
        self.parked.append(self.h)
        self.h = None

    def resume(self):
        self.h = self.parked.pop()
        self.resumed = True  # <- culprit


def windows(ids, batch, length):
    cols = ids[: len(ids) // batch * batch].view(batch, -1)
    for i in range(0, cols.size(1) - length, length):
        yield cols[:, i : i + length], cols[:, i + 1 : i + length + 1]


def run(model, ids, carrier, opt=None):
    crit = nn.CrossEntropyLoss()
    total, n = 0.0, 0
    for x, y in windows(ids, 8, 8):
        logits, h = model(x, carrier.get())
        loss = crit(logits.flatten(0, 1), y.flatten())
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        carrier.put(h)
        total, n = total + loss.item(), n + 1
    return total / n


def main():
    split = 1932
    model, carrier = CharGRU(len(CHARS)), StateCarrier()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(4):
        tr = run(model, IDS[:split], carrier, opt)
        carrier.park()
        with torch.no_grad():
            va = run(model, IDS[split:], carrier)
        carrier.resume()
        print(f"epoch {epoch}: train {tr:.3f} valid {va:.3f}")


if __name__ == "__main__":
    main()
