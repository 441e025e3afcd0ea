# gradwatch-corpus: kind=second-backward
# holder: spotter.bank.prototypes | self.bank.prototypes
# first-bad: 1
# notice: 0
"""Few-shot keyword spotting: score query clips against enrolled keyword prototypes."""
import argparse

import torch

from bank import PrototypeBank
from clips import ClipSet
from spotter import Spotter


def parse_args():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--queries-per-epoch", type=int, default=20)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--keywords", type=int, default=6)
    p.add_argument("--shots", type=int, default=5)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def train_epoch(spotter, clips, optimizer, args):
    """Enrol the keywords, then run through the query batches of this epoch."""
    support, labels = clips.support(args.shots)
    spotter.bank.enrol(support, labels)  # <- culprit
    hits, seen, loss_sum = 0, 0, 0.0
    for _ in range(args.queries_per_epoch):
        mels, target = clips.queries(args.batch_size)
        logits = spotter(mels)
        loss = torch.nn.functional.cross_entropy(logits, target)
        optimizer.zero_grad()
        loss.backward()  # <- culprit
        torch.nn.utils.clip_grad_norm_(spotter.parameters(), 5.0)
        optimizer.step()
        hits += (logits.argmax(1) == target).sum().item()
        seen += target.numel()
        loss_sum += loss.item() * target.numel()
    return loss_sum / seen, hits / seen


def main():
    args = parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)

    clips = ClipSet(n_keywords=args.keywords, n_mels=20, frames=24)
    spotter = Spotter(PrototypeBank(n_mels=20, dim=24, n_keywords=args.keywords))
    optimizer = torch.optim.AdamW(spotter.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        loss, acc = train_epoch(spotter, clips, optimizer, args)
        print(f"epoch {epoch}: loss {loss:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
