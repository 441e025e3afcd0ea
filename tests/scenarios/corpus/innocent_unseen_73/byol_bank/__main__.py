# gradwatch-corpus: kind=none
import torch

from .engine import Pretrain
from .hooks import CosineMomentum, FeatureBank, KNNProbe, LossMeter


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    bank = FeatureBank(capacity=512)
    engine = Pretrain(
        iters=200,
        batch=32,
        hooks=[CosineMomentum(base=0.96), bank, KNNProbe(bank, every=50), LossMeter(every=50)],
    )
    engine.run()
    print("bank", len(bank), "centre norm %.3f" % engine.algo.centre.norm().item())


main()
