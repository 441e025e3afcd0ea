# gradwatch-corpus: kind=inplace-modified
# first-bad: 24
"""Designs short binder peptides: a generator of soft sequences against an affinity predictor that,
after a warm-up on assay data alone, is kept honest on the designs too."""
import torch

from assay import MotifAssay
from loop import DesignLoop, Phases
from nets import AffinityPredictor, SequenceDesigner


def main():
    torch.manual_seed(41)
    torch.set_num_threads(1)
    assay = MotifAssay(length=12, seed=42)
    designer = SequenceDesigner(latent=10, length=12, width=48)
    predictor = AffinityPredictor(length=12, width=48)
    loop = DesignLoop(designer, predictor, assay, Phases(warmup=24, total=260))
    loop.run()
    print("best design affinity:", round(loop.best, 3))


if __name__ == "__main__":
    main()
