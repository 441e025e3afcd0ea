# gradwatch-corpus: kind=none
"""Growing cellular automaton with a sample pool, checkpointed rollouts and a growth curriculum."""
import argparse

import torch

from automaton import Automaton, glyph
from hooks import Curriculum, Gallery, Pool, WeightTrail
from trainer import Trainer

torch.set_num_threads(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=160)
    ap.add_argument("--side", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(30)
    pool = Pool(size=24, channels=8, side=args.side, batch=4)
    trainer = Trainer(
        Automaton(channels=8),
        glyph(args.side),
        pool,
        hooks=[Curriculum(start=3, stop=10, grow_every=20), pool, WeightTrail(window=5), Gallery(keep_best=6)],
    )
    trainer.fit(args.steps)
    print("best:", [f"{v:.4f}" for v, _ in trainer.find(Gallery).shelf])


if __name__ == "__main__":
    main()
