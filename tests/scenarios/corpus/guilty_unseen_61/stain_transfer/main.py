# gradwatch-corpus: kind=second-backward
# holder: fake | translated | shown | self.pool.images | updater.pool.images | self.images
# first-bad: 2
# notice: 0
"""Unpaired stain transfer (H&E patches -> IHC look) with an image pool for the critic."""
import argparse

import torch

from networks.blocks import PatchCritic, Translator
from training.data import patch_stream
from training.updates import StainTransferUpdate


def run(args):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    updater = StainTransferUpdate(Translator(), PatchCritic(), lr=args.lr, pool_size=args.pool,
                                  critic_every=args.critic_every)
    stream = patch_stream(args.batch)
    for step in range(args.steps):
        source, target = next(stream)
        stats = updater(step, source, target)
        if step % 20 == 0:
            print(step, {k: round(v, 4) for k, v in stats.items()})


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=90)
    ap.add_argument("--batch", type=int, default=4)
    ap.add_argument("--pool", type=int, default=24)
    ap.add_argument("--critic-every", type=int, default=3)
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--seed", type=int, default=0)
    run(ap.parse_args())
