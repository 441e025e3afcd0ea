# gradwatch-corpus: kind=graph-chain
# holder: self.folios | scribe.memory.folios
# first-bad: 1
"""A slot-memory reader that follows a monastery's chronicle and guesses which office an entry belongs to."""
import torch
import torch.nn.functional as F

from chronicle import Chronicle
from scriptorium import Scribe

RULE = {
    "lexicon": 90,
    "width": 32,
    "slots": 12,
    "offices": 6,
    "memory": "fading",
    "fade": 0.9,
}


def entries(chronicle, count, per_day):
    for _ in range(count):
        yield chronicle.read(per_day)


def main():
    torch.manual_seed(1098)
    chronicle = Chronicle(RULE["lexicon"], RULE["offices"])
    scribe = Scribe(RULE)
    quill = torch.optim.Adam(scribe.parameters(), lr=2e-3)
    warmup = torch.optim.lr_scheduler.LambdaLR(quill, lambda day: min(1.0, (day + 1) / 10))
    for day, (words, office) in enumerate(entries(chronicle, 80, 24)):
        logits = scribe(words)
        loss = F.cross_entropy(logits, office)
        quill.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(scribe.parameters(), 1.0)
        quill.step()
        warmup.step()
        if day % 16 == 0:
            hits = (logits.argmax(1) == office).float().mean().item()
            print(f"day {day:3d} loss {loss.item():.3f} hits {hits:.2f}")


if __name__ == "__main__":
    main()
