# gradwatch-corpus: kind=graph-held
# holder: self.hard | miner.hard
# first-bad: 1
import heapq
import itertools

import torch
from torch import nn
import torch.nn.functional as F


class PhasePicker(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.c1 = nn.Conv1d(3, ch, 9, padding=4)
        self.c2 = nn.Conv1d(ch, ch, 9, padding=8, dilation=2)
        self.c3 = nn.Conv1d(ch, 1, 1)

    def forward(self, wave):
        h = F.gelu(self.c1(wave))
        h = h + F.gelu(self.c2(h))
        return self.c3(h).squeeze(1)


def synthetic_event(batch, length, gen):
    onset = torch.randint(20, length - 20, (batch,), generator=gen)
    t = torch.arange(length).float()
    rel = t[None] - onset[:, None].float()
    envelope = torch.where(rel > 0, torch.exp(-rel.clamp(min=0) / 15), torch.zeros_like(rel))
    carrier = torch.sin(rel * 0.9)
    amp = torch.rand(batch, 3, 1, generator=gen) + 0.3
    wave = amp * (envelope * carrier)[:, None]
    wave = wave + 0.15 * torch.randn(batch, 3, length, generator=gen)
    return wave, onset


class HardMiner:
    """Remembers which events were most difficult, for the analysts' review sheet."""

    def __init__(self):
        self.hard = []
        self.ticket = itertools.count()

    def offer(self, step, per_event, onset):
        worst = per_event.argmax()
        entry = (-float(per_event[worst]), next(self.ticket), step, onset[worst].item(), per_event[worst])
        heapq.heappush(self.hard, entry)  # <- culprit

    def top(self, k):
        return [(step, onset, round(value.item(), 3))
                for _, _, step, onset, value in heapq.nsmallest(k, self.hard)]


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(5)
    picker = PhasePicker()
    opt = torch.optim.Adam(picker.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 150, 0.5)
    miner = HardMiner()
    abs_err = 0.0
    for step in range(480):
        wave, onset = synthetic_event(16, 128, gen)
        logits = picker(wave)
        per_event = F.cross_entropy(logits, onset, reduction="none")
        opt.zero_grad(set_to_none=True)
        per_event.mean().backward()
        opt.step()
        sched.step()
        with torch.no_grad():
            err = (logits.argmax(1) - onset).abs().float().mean().item()
        abs_err = err if step == 0 else 0.95 * abs_err + 0.05 * err
        miner.offer(step, per_event, onset)
        if (step + 1) % 120 == 0:
            print(f"{step + 1}: pick error {abs_err:.2f} samples; hardest {miner.top(3)}")


if __name__ == "__main__":
    main()
