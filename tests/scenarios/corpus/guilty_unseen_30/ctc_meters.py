# gradwatch-corpus: kind=graph-held
# holder: self.total | meters["ctc"].total
# first-bad: 1
"""Toy phoneme recogniser, CTC loss, a table of meters printed every so often."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BLANK = 0


class Meter:
    """Weighted mean over everything seen so far."""

    def __init__(self, fmt="{:.3f}"):
        self.fmt = fmt
        self.total = 0.0
        self.weight = 0

    def add(self, value, weight=1):
        self.total = self.total + value * weight  # <- culprit
        self.weight += weight

    @property
    def mean(self):
        return self.total / max(1, self.weight)

    def __str__(self):
        return self.fmt.format(self.mean)


class MeterBoard(dict):
    def __missing__(self, key):
        self[key] = Meter()
        return self[key]

    def line(self):
        return "  ".join(f"{k} {m}" for k, m in sorted(self.items()))


class Recogniser(nn.Module):
    def __init__(self, bands=12, width=24, phones=9):
        super().__init__()
        self.front = nn.Conv1d(bands, width, 5, stride=2, padding=2)
        self.norm = nn.GroupNorm(4, width)
        self.mid = nn.Conv1d(width, width, 3, padding=1)
        self.out = nn.Conv1d(width, phones, 1)

    def forward(self, spec):
        h = F.relu(self.norm(self.front(spec)))
        h = h + F.relu(self.mid(h))
        return self.out(h).permute(2, 0, 1).log_softmax(-1)


def utterances(n, gen, bands=12, frames=40, phones=9):
    proto = torch.randn(phones, bands, generator=torch.Generator().manual_seed(77))
    labels = torch.randint(1, phones, (n, 5), generator=gen)
    spec = proto[labels].repeat_interleave(frames // 5, dim=1).transpose(1, 2)
    spec = spec + 0.4 * torch.randn(spec.shape, generator=gen)
    lengths = torch.randint(3, 6, (n,), generator=gen)
    return spec, labels, lengths


def greedy_errors(logp, labels, lengths):
    wrong = 0
    best = logp.argmax(-1).T
    for seq, ref, k in zip(best.tolist(), labels.tolist(), lengths.tolist()):
        hyp, prev = [], BLANK
        for s in seq:
            if s != prev and s != BLANK:
                hyp.append(s)
            prev = s
        wrong += sum(a != b for a, b in zip(hyp, ref[:k])) + abs(len(hyp) - k)
    return wrong


def main(iters=220, batch=8):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    model = Recogniser()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ctc = nn.CTCLoss(blank=BLANK, zero_infinity=True)
    meters = MeterBoard()
    for it in range(iters):
        spec, labels, lengths = utterances(batch, gen)
        logp = model(spec)
        frames = torch.full((batch,), logp.size(0), dtype=torch.long)
        loss = ctc(logp, labels, frames, lengths)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()

        meters["ctc"].add(loss, batch)
        meters["errors"].add(greedy_errors(logp, labels, lengths))
        if (it + 1) % 55 == 0:
            print(f"it {it + 1:4d}  {meters.line()}")


if __name__ == "__main__":
    main()
