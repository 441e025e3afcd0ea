# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import random

import torch

from s2s import Seq2Seq, Seq2SeqTrainer

VOCAB, LENGTH = 12, 6


def reversal_batches(steps, batch_size=32, seed=0):
    g = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        src = torch.randint(1, VOCAB, (batch_size, LENGTH), generator=g)
        yield src, src.flip(1)


def main():
    random.seed(0)
    torch.manual_seed(0)
    steps = 450
    trainer = Seq2SeqTrainer(Seq2Seq(VOCAB), total_steps=steps)
    trainer.fit(reversal_batches(steps))
    src, tgt = next(reversal_batches(1, 128, seed=99))
    print(f"greedy accuracy {trainer.accuracy(src, tgt):.3f}")


if __name__ == "__main__":
    main()
