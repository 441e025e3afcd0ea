# gradwatch-corpus: kind=none
"""Character model of a tiny verse; log-probabilities are written out in batches by size."""
import io
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

VERSE = (
    "the river runs beneath the stone and sings of water all alone "
    "the heron stands on one thin leg and watches ripples where they beg "
    "the evening folds its copper light along the edges of the night "
)


class CharLM(nn.Module):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, 48, batch_first=True)
        self.out = nn.Linear(48, vocab)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(h)


class BatchedWriter:
    def __init__(self, path, flush_bytes):
        self.path = path
        self.flush_bytes = flush_bytes
        self.buffered = []
        self.size = 0
        self.written = 0

    def write(self, step, tensor):
        self.buffered.append((step, tensor))
        self.size += tensor.numel() * tensor.element_size()
        if self.size >= self.flush_bytes:
            self.flush()

    def flush(self):
        if not self.buffered:
            return
        stream = io.BytesIO()
        torch.save({s: t.detach().half() for s, t in self.buffered}, stream)
        self.path.write_bytes(stream.getvalue())
        self.written += len(self.buffered)
        self.buffered, self.size = [], 0

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.flush()


def main():
    torch.manual_seed(23)
    gen = torch.Generator().manual_seed(24)
    chars = sorted(set(VERSE))
    data = torch.tensor([chars.index(c) for c in VERSE])
    model = CharLM(len(chars))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    with tempfile.TemporaryDirectory() as folder:
        with BatchedWriter(Path(folder) / "logp.pt", flush_bytes=24 * 1024) as writer:
            for step in range(410):
                at = torch.randint(0, len(data) - 13, (10,), generator=gen)
                chunk = torch.stack([data[a:a + 13] for a in at.tolist()])
                logits = model(chunk[:, :-1])
                logp = logits.log_softmax(-1).gather(-1, chunk[:, 1:, None]).squeeze(-1)
                loss = -logp.mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_value_(model.parameters(), 1.0)
                opt.step()
                writer.write(step, logp)
                if step % 80 == 0:
                    print(step, f"ppl {loss.exp().item():.2f} written {writer.written}")


if __name__ == "__main__":
    main()
