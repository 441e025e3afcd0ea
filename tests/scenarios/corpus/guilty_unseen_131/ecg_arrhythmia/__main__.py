# gradwatch-corpus: kind=crashed
# first-bad: 25
# notice: 0
import torch
torch.set_num_threads(1)
from .engine import Engine
from .net import BeatClassifier
from .signals import synth_beats


def main():
    torch.manual_seed(11)
    train = synth_beats(400)
    val = synth_beats(64)
    engine = Engine(BeatClassifier(), lr=3e-3)
    for epoch in range(12):
        tr = engine.fit_one_epoch(*train, bs=16)
        f1, vl = engine.validate(*val)
        print(f"{epoch:02d} train {tr:.3f} val {vl:.3f} acc {f1:.3f}")


main()
