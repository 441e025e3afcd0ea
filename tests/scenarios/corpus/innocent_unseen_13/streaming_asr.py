# gradwatch-corpus: kind=none
"""Streaming phone recogniser: long utterances arrive in chunks, the recurrent state lives on between them.

Each update sees four consecutive chunks (truncated backpropagation), then a next update goes on from there.
"""
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

PHONES = 12
CHUNKS_PER_UPDATE = 4


class StreamingEncoder(nn.Module):
    def __init__(self, mels=16, hidden=32):
        super().__init__()
        self.front = nn.Linear(mels, hidden)
        self.rnn = nn.GRU(hidden, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, PHONES + 1)

    def forward(self, x, state=None):
        y, state = self.rnn(torch.relu(self.front(x)), state)
        return self.out(y).log_softmax(-1), state


@dataclass
class StreamState:
    hidden: torch.Tensor | None = None
    utterance: int = 0
    context: deque = field(default_factory=lambda: deque(maxlen=6))

    def carry(self, hidden):
        self.hidden = hidden

    def cut(self):
        if self.hidden is not None:
            self.hidden = self.hidden.detach()

    def restart(self):
        self.hidden = None
        self.utterance += 1
        self.context.clear()


def microphone(batch=6, mels=16, frames=10, seed=33):
    """Yields (chunk, phones, lengths, last_of_utterance) for ever."""
    g = torch.Generator().manual_seed(seed)
    sound = torch.randn(PHONES + 1, mels, generator=g)
    while True:
        length = int(torch.randint(6, 15, (1,), generator=g))
        channel = 0.3 * torch.randn(batch, 1, mels, generator=g)
        for i in range(length):
            phones = torch.randint(1, PHONES + 1, (batch, 3), generator=g)
            frames_of = phones.repeat_interleave(3, dim=1)
            frames_of = F.pad(frames_of, (0, frames - frames_of.shape[1]))
            noise = 0.4 * torch.randn(batch, frames, mels, generator=g)
            yield sound[frames_of] + channel + noise, phones, i == length - 1


class Updater:
    def __init__(self, model, lr=2e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.state = StreamState()

    def chunk_loss(self, chunk, phones):
        logp, hidden = self.model(chunk, self.state.hidden)
        self.state.carry(hidden)
        self.state.context.append(logp.detach().argmax(-1))
        lengths = torch.full((chunk.shape[0],), chunk.shape[1], dtype=torch.long)
        targets = torch.full((chunk.shape[0],), phones.shape[1], dtype=torch.long)
        return F.ctc_loss(logp.transpose(0, 1), phones, lengths, targets, zero_infinity=True)

    def update(self, source):
        total = 0.0
        for _ in range(CHUNKS_PER_UPDATE):
            chunk, phones, last = next(source)
            total = total + self.chunk_loss(chunk, phones)
            if last:
                self.state.restart()
        loss = total / CHUNKS_PER_UPDATE
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.state.cut()
        return loss.item()


def collapse(path):
    out, last = [], 0
    for p in path.tolist():
        if p and p != last:
            out.append(p)
        last = p
    return out


def main(updates=240):
    torch.manual_seed(33)
    updater = Updater(StreamingEncoder())
    source = microphone()
    history = []
    for u in range(updates):
        history.append(updater.update(source))
        if (u + 1) % 60 == 0:
            recent = sum(history[-60:]) / 60
            heard = [collapse(path[0]) for path in updater.state.context]
            print(f"update {u + 1}: ctc {recent:.3f}, utterance {updater.state.utterance}, heard {heard}")


if __name__ == "__main__":
    main()
