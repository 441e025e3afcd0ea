# gradwatch-corpus: kind=none
"""Streaming keyword spotter: every microphone keeps the recurrent state where its last chunk ended,
and training is truncated at the borders of the chunks."""
import torch
import torch.nn.functional as F
from torch import nn

MICS = 6
LANES = 8
CHUNK = 10
FEATS = 10
KEYWORDS = 3


class Microphone:
    """Endless frames of LANES parallel speakers; label 0 is background."""

    def __init__(self, idx, protos):
        self.idx = idx
        self.gen = torch.Generator().manual_seed(500 + idx)
        self.protos = protos
        self.active = torch.zeros(LANES, dtype=torch.long)
        self.left = torch.zeros(LANES, dtype=torch.long)

    def _tick(self):
        over = self.left <= 0
        fresh = torch.randint(0, KEYWORDS + 1, (LANES,), generator=self.gen)
        span = torch.randint(5, 15, (LANES,), generator=self.gen)
        self.active = torch.where(over, fresh, self.active)
        self.left = torch.where(over, span, self.left - 1)
        frame = self.protos[self.active] + 0.9 * torch.randn(LANES, FEATS, generator=self.gen)
        return frame, self.active

    def read(self):
        frames, labels = zip(*(self._tick() for _ in range(CHUNK)))
        return torch.stack(frames), torch.stack(labels)


class Spotter(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(FEATS, hidden)
        self.out = nn.Linear(hidden, KEYWORDS + 1)
        self.initial = nn.Parameter(torch.zeros(hidden))

    def forward(self, frames, state=None):
        h = self.initial.expand(frames.shape[1], -1) if state is None else state
        outs = []
        for frame in frames:
            h = self.cell(frame, h)
            outs.append(self.out(h))
        return torch.stack(outs), h


class StateBook:
    """Recurrent states by microphone."""

    def __init__(self):
        self._states = {}

    def get(self, mic):
        return self._states.get(mic.idx)

    def put(self, mic, h):
        self._states[mic.idx] = h.detach()

    def drop(self, mic):
        self._states.pop(mic.idx, None)


class StreamingTrainer:
    def __init__(self, net, mics, drop_every=90):
        self.net = net
        self.mics = mics
        self.book = StateBook()
        self.drop_every = drop_every
        self.opt = torch.optim.Adam(net.parameters(), lr=5e-3)
        self.confusion = torch.zeros(KEYWORDS + 1, KEYWORDS + 1)
        self.last = {}

    def loss_of(self, logits, labels):
        total = 0.0
        for out, lab in zip(logits, labels):
            total += F.cross_entropy(out, lab)
        return total / len(logits)

    def step(self, i):
        mic = self.mics[i % len(self.mics)]
        frames, labels = mic.read()
        logits, h = self.net(frames, self.book.get(mic))
        loss = self.loss_of(logits, labels)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.book.put(mic, h)
        if i % self.drop_every == self.drop_every - 1:
            self.book.drop(mic)
        self.last = {"loss": loss, "mic": mic.idx}
        self._count(logits.detach(), labels)

    def _count(self, logits, labels):
        pairs = labels.flatten() * (KEYWORDS + 1) + logits.argmax(-1).flatten()
        counts = torch.bincount(pairs, minlength=self.confusion.numel())
        self.confusion.mul_(0.98).add_(counts.view_as(self.confusion))

    def report(self, i):
        recall = self.confusion.diag() / self.confusion.sum(1).clamp(min=1)
        text = " ".join(f"{r:.2f}" for r in recall.tolist())
        print(f"chunk {i + 1:4d} loss {self.last['loss'].item():.3f} (mic {self.last['mic']}) recall {text}")


def main(chunks=300):
    torch.manual_seed(44)
    protos = torch.cat([torch.zeros(1, FEATS), torch.randn(KEYWORDS, FEATS)])
    trainer = StreamingTrainer(Spotter(), [Microphone(m, protos) for m in range(MICS)])
    for i in range(chunks):
        trainer.step(i)
        if i % 60 == 59:
            trainer.report(i)


if __name__ == "__main__":
    main()
