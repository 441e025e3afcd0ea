# gradwatch-corpus: kind=none
from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Iterator, List, Optional, Tuple

import torch
from torch import Tensor, nn

log = logging.getLogger("stream")


@dataclass
class StreamState:
    hidden: Optional[Tuple[Tensor, Tensor]] = None
    left_context: Optional[Tensor] = None
    chunks: int = 0
    losses: List[Tensor] = field(default_factory=list)

    def cut(self) -> "StreamState":
        hidden = tuple(h.detach() for h in self.hidden)
        return StreamState(hidden, self.left_context.detach(), self.chunks)


class StreamingEncoder(nn.Module):
    def __init__(self, bands=16, width=32, phones=10, context=4):
        super().__init__()
        self.context = context
        self.conv = nn.Conv1d(bands, width, context + 1)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, phones)

    def forward(self, chunk: Tensor, state: StreamState) -> Tensor:
        if state.left_context is None:
            state.left_context = chunk.new_zeros(chunk.shape[0], self.context, chunk.shape[2])
        padded = torch.cat([state.left_context, chunk], dim=1)
        z = torch.relu(self.conv(padded.transpose(1, 2))).transpose(1, 2)
        y, state.hidden = self.lstm(z, state.hidden)
        state.left_context = padded[:, -self.context:]
        state.chunks += 1
        return self.out(y)


def chunks(n: int, batch: int, length: int) -> Iterator[Tuple[Tensor, Tensor]]:
    emit = torch.randn(10, 16)
    current = torch.randint(0, 10, (batch,))
    for _ in range(n):
        labels = []
        for _ in range(length):
            switch = torch.rand(batch) < 0.2
            current = torch.where(switch, torch.randint(0, 10, (batch,)), current)
            labels.append(current)
        y = torch.stack(labels, dim=1)
        yield emit[y] + torch.randn(batch, length, 16), y


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(17)
    window = 3
    model = StreamingEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    state = StreamState()
    updates = 0
    for x, y in chunks(150, batch=6, length=8):
        logits = model(x, state)
        state.losses.append(nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()))
        if len(state.losses) < window:
            continue
        loss = torch.stack(state.losses).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        state = state.cut()
        updates += 1
        if updates % 10 == 0:
            log.info("update %d chunks %d xent %.4f", updates, state.chunks, loss.item())


if __name__ == "__main__":
    main()
