# gradwatch-corpus: kind=none
"""Forked meta-learning baseline: adapt a stitch predictor to the style of one knitter."""
import torch

from charts import Knitters
from learners import KnitMeta
from stitchnet import StitchNet

torch.set_num_threads(1)

def main():
    torch.manual_seed(50)
    knitters = Knitters(n=10, seed=3)
    meta = KnitMeta(StitchNet(knitters.stitches), inner_steps=1, lr=4e-3)
    for episode in range(160):
        if episode in (50, 110):
            meta.grow()
        who = knitters.pick()
        query = meta.meta_step(who, knitters.charts(who), knitters.charts(who))
        if episode % 20 == 0:
            print(f"episode {episode:3d} inner {meta.inner_steps} query {query:.4f} {meta.summary()}")

if __name__ == "__main__":
    main()
