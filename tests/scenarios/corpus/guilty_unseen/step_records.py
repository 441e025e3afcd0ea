# gradwatch-corpus: kind=graph-held
# holder: RECORDS | records
from __future__ import annotations

import time
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

RECORDS: list[StepRecord] = []


@dataclass(slots=True)
class StepRecord:
    step: int
    loss: Tensor
    grad_norm: float
    wall: float = field(default_factory=time.time)

    def as_row(self) -> str:
        return f"{self.step},{self.loss:.5f},{self.grad_norm:.4f}"


class TinyTransformer(nn.Module):
    def __init__(self, vocab=40, d=48):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.zeros(16, d))
        self.enc = nn.TransformerEncoderLayer(d, 4, 96, dropout=0.0, batch_first=True)
        self.out = nn.Linear(d, vocab)

    def forward(self, ids):
        return self.out(self.enc(self.tok(ids) + self.pos[: ids.size(1)]))


def record(step, loss, gn, /):
    RECORDS.append(StepRecord(step, loss, gn))  # <- culprit


def main():
    torch.manual_seed(21)
    net = TinyTransformer()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for step in range(150):
        ids = (torch.arange(17) + torch.randint(40, (16, 1))) % 40
        loss = F.cross_entropy(net(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(net.parameters(), 1.0).item()
        opt.step()
        record(step, loss, gn)  # <- culprit
    with open("/dev/null", "w") as fh:
        fh.write("\n".join(r.as_row() for r in RECORDS))
    print("final", RECORDS[-1].as_row())


main()
