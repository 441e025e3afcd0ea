# gradwatch-corpus: kind=none
"""Secondary structure tagging with gradient accumulation, mixed losses and running metrics."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Meter:
    total: torch.Tensor = field(default_factory=lambda: torch.zeros(()))
    count: int = 0
    trace: list = field(default_factory=list)

    def add(self, value, n):
        self.total += value.detach() * n
        self.count += n

    def flush(self):
        mean = (self.total / max(self.count, 1)).item()
        self.trace.append(mean)
        self.total.zero_()
        self.count = 0
        return mean


class Tagger(nn.Module):
    def __init__(self, n_aa=21, n_ss=3, d=32):
        super().__init__()
        self.embed = nn.Embedding(n_aa, d)
        layer = nn.TransformerEncoderLayer(d, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.ss = nn.Linear(d, n_ss)
        self.rsa = nn.Linear(d, 1)

    def forward(self, seq):
        h = self.encoder(self.embed(seq))
        return self.ss(h), self.rsa(h).squeeze(-1)


def chains(gen, propensity, exposure):
    while True:
        seq = torch.randint(0, 21, (6, 40), generator=gen)
        smooth = F.avg_pool1d(propensity[seq].transpose(1, 2), 5, 1, 2)
        yield seq, smooth.argmax(1), exposure[seq]


def main():
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(1)
    propensity = torch.randn(21, 3, generator=gen)
    exposure = torch.rand(21, generator=gen)
    model = Tagger()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    accumulate = 4
    meters = {"ss": Meter(), "rsa": Meter(), "sum": Meter()}
    ema = None
    data = chains(gen, propensity, exposure)
    optimizer.zero_grad()
    for micro in range(160):
        seq, ss, rsa = next(data)
        logits, pred_rsa = model(seq)
        loss_ss = F.cross_entropy(logits.flatten(0, 1), ss.flatten())
        loss_rsa = F.mse_loss(pred_rsa, rsa)
        loss = loss_ss + 0.3 * loss_rsa
        (loss / accumulate).backward()
        meters["ss"].add(loss_ss, len(seq))
        meters["rsa"].add(loss_rsa, len(seq))
        meters["sum"].add(loss, len(seq))
        current = loss.detach()
        ema = current if ema is None else 0.95 * ema + 0.05 * current
        if (micro + 1) % accumulate == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        if (micro + 1) % 40 == 0:
            line = {k: round(m.flush(), 4) for k, m in meters.items()}
            print(micro + 1, line, "ema", round(ema.item(), 4))


if __name__ == "__main__":
    main()
