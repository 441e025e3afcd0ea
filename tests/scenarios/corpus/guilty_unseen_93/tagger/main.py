# gradwatch-corpus: kind=graph-held
# holder: self.pending | log.pending | reporter.pending | deferred.pending
# first-bad: 1
# notice: 8
"""A BiGRU part-of-speech tagger on a made-up grammar."""
import torch
from torch import nn

from corpus import sentences
from reporting import Deferred
from network import Tagger

torch.set_num_threads(1)
torch.manual_seed(7)

STEPS = 240
log = Deferred(every=1)


def step(model, opt, batch):
    words, tags = batch
    logits = model(words)
    ce = nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten())
    smooth = (logits[:, 1:] - logits[:, :-1]).pow(2).mean()
    loss = ce + 1e-3 * smooth
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = (logits.argmax(-1) == tags).float().mean()
    log.say("ce {:.3f}  smooth {:.3f}  acc {:.3f}", ce, smooth, acc)  # <- culprit
    return acc.item()


def main():
    data = sentences(seed=1, batch=12, length=9)
    model = Tagger(vocab=40, tags=6)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    best = 0.0
    for _ in range(STEPS):
        best = max(best, step(model, opt, next(data)))
    # printing inside the loop makes the progress of a job hard to read
    log.flush(last=8)
    print("best batch accuracy", round(best, 3))


if __name__ == "__main__":
    main()
