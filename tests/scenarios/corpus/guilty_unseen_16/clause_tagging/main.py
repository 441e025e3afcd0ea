# gradwatch-corpus: kind=graph-held
# holder: self.stats[name] | self.stats | probe.stats | probe.stats["mix"] | probe.stats["embed"] | self.stats["mix"] | probe.stats[name]
# first-bad: 1
"""Token tagger for contract clauses (party, obligation, date, other), trained on generated
clauses; part of the annotation assistant's smoke tests."""
import random

import torch
import torch.nn.functional as F

from clauses import ClauseMaker, TAGS
from probes import ActivationProbe
from tagger import ClauseTagger

STEPS = 240


def make_step(model, optimizer, scheduler):
    def step(tokens, tags):
        logits = model(tokens)
        loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        return loss.item()
    return step


@torch.no_grad()
def accuracy(model, maker):
    model.eval()
    tokens, tags = maker.batch(64)
    guess = model(tokens).argmax(-1)
    mask = tags >= 0
    model.train()
    return (guess == tags)[mask].float().mean().item()


def main():
    random.seed(8)
    torch.manual_seed(8)
    torch.set_num_threads(1)
    maker = ClauseMaker(length=18, seed=21)
    model = ClauseTagger(len(maker.vocab), len(TAGS))
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    probe = ActivationProbe(model, ["embed", "mix"])
    step = make_step(model, optimizer, scheduler)

    curve = []
    for it in range(STEPS):
        curve.append(step(*maker.batch(16)))
        if it % 60 == 59:
            print(f"{it + 1:4d} loss {sum(curve[-60:]) / 60:.3f}", probe.line())
    probe.close()
    print(f"held-out accuracy {accuracy(model, maker):.3f}")


if __name__ == "__main__":
    main()
