# gradwatch-corpus: kind=none
# about: one trunk graph walked by two losses: retain_graph=True for all but the last backward of the same iteration, freed by the last
"""Cloud motion and cloud cover from pairs of sky images."""
import itertools

import torch
import torch.nn.functional as F

from parley import Parley, Voice
from sky import skies
from trunk import CloudTrunk, CoverHead, MotionHead


def main(rounds=300, seed=23):
    torch.manual_seed(seed)
    parley = Parley(CloudTrunk(),
                    Voice("motion", MotionHead(), F.mse_loss),
                    Voice("cover", CoverHead(), F.binary_cross_entropy_with_logits))
    everything = itertools.chain(parley.common, *(v.head.parameters() for v in parley.voices))
    opt = torch.optim.Adam(everything, lr=2e-3)
    for n, (pair, *truths) in zip(range(rounds), skies(seed)):
        opt.zero_grad()
        with parley.session():
            parley.hold(pair, truths)
            opt.step()
        if n % 50 == 0:
            print(f"{n:3d} " + "  ".join(f"{v.name} {v.mean:.4f}" for v in parley.voices)
                  + f"  quarrels {parley.quarrels}")


if __name__ == "__main__":
    main()
