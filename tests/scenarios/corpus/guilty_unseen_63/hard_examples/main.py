# gradwatch-corpus: kind=graph-held
# holder: log.rows | self.rows | trainer.log.rows | self.log.rows
# first-bad: 1
# notice: 8
"""Train a small defect detector and list the hardest images at the end of the run."""
import argparse

import torch

from data import batches, make_images
from hardness import HardnessLog
from trainer import Trainer


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--images", type=int, default=320)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--top", type=int, default=8)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(2)
    images, labels = make_images(args.images)
    log = HardnessLog()
    trainer = Trainer(log)
    for epoch in range(args.epochs):
        total = 0.0
        for ids in batches(args.images, args.batch):
            total += trainer.step(ids, images[ids], labels[ids])
        print(f"epoch {epoch} mean loss {total / args.images:.4f}")
    print("hardest images:")
    for image_id, score in log.hardest(args.top):
        print(f"  #{image_id:03d} mean loss {score:.3f} label {labels[image_id].item()}")


if __name__ == "__main__":
    main()
