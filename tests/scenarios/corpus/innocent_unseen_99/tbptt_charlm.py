# gradwatch-corpus: kind=none
"""Character GRU with truncated BPTT: the state flows over K chunks before it is cut."""
import torch
from torch import nn
import torch.nn.functional as F

CHUNK, K, BATCH, HIDDEN = 3, 4, 8, 24


def make_stream(n_chars, vocab=16):
    table = torch.softmax(3.0 * torch.randn(vocab, vocab), dim=-1)
    cur = torch.randint(vocab, (BATCH,))
    out = [cur]
    for _ in range(n_chars):
        cur = torch.multinomial(table[cur], 1).squeeze(1)
        out.append(cur)
    return torch.stack(out, dim=1)


class CharGRU(nn.Module):
    def __init__(self, vocab=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, 12)
        self.cell = nn.GRUCell(12, HIDDEN)
        self.out = nn.Linear(HIDDEN, vocab)

    def forward(self, chunk, h):
        logits = []
        for c in chunk.unbind(1):
            h = self.cell(self.emb(c), h)
            logits.append(self.out(h))
        return torch.stack(logits, dim=1), h


class StatefulTrainer:
    def __init__(self):
        self.model = CharGRU()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.h = torch.zeros(BATCH, HIDDEN)
        self.window = []
        self.history = []

    def feed(self, x, y):
        """Add one chunk; returns the loss when the window is full."""
        logits, self.h = self.model(x, self.h)
        self.window.append(F.cross_entropy(logits.flatten(0, 1), y.flatten()))
        if len(self.window) < K:
            return None
        loss = torch.stack(self.window).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.window = []
        self.h = self.h.detach()
        self.history.append(loss.item())
        return self.history[-1]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(19)
    stream = make_stream(600)
    trainer = StatefulTrainer()
    updates, start = 0, 0
    while updates < 310:
        if start + CHUNK + 1 > stream.shape[1]:
            start = 0
        x = stream[:, start:start + CHUNK]
        y = stream[:, start + 1:start + CHUNK + 1]
        start += CHUNK
        loss = trainer.feed(x, y)
        if loss is not None:
            if updates % 50 == 0:
                print(f"update {updates}: {loss:.3f} nats/char")
            updates += 1
    print("mean of last 50:", sum(trainer.history[-50:]) / 50)


if __name__ == "__main__":
    main()
