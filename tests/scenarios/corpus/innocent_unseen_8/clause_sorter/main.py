# gradwatch-corpus: kind=none
# about: a ring of the last 12 incidents keeps live losses and logits with their history on purpose; it never holds more than 12
"""Sorts contract clauses into risk classes; the last few batches stay at hand for a post-mortem when the loss spikes."""
from __future__ import annotations

import torch
import torch.nn.functional as F

from blackbox import FlightRecorder
from clauses import ClauseMixer, clause_batches


def main() -> None:
    torch.manual_seed(47)
    model = ClauseMixer()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    recorder = FlightRecorder(room=12, factor=1.5)
    for step, (tokens, risk) in zip(range(300), clause_batches(32)):
        with recorder.watching(step) as slot:
            logits = model(tokens)
            slot.logits = logits
            slot.loss = F.cross_entropy(logits, risk, reduction="none")
            mean = slot.loss.mean()
        opt.zero_grad()
        mean.backward()
        opt.step()
        if recorder.spiked(mean):
            print(f"step {step}: spike\n{recorder.post_mortem()}")
        if step % 75 == 0:
            print(f"step {step} loss {mean.item():.4f} at hand {len(recorder)}")


if __name__ == "__main__":
    main()
