# gradwatch-corpus: kind=graph-held
# holder: self.rows | meter.rows | self.meter.rows | trainer.meter.rows | row | self.meter.rows[-1]
# first-bad: 1
# notice: 8
"""Automatic sleep staging (W, N1, N2, N3, REM) from one EEG channel, synthetic nights."""
import torch

from data import NightDataset
from model import TinySleepNet
from trainer import Trainer

torch.set_num_threads(1)


def main(seed=11, steps=240):
    torch.manual_seed(seed)
    ds = NightDataset(n_nights=6, epochs_per_night=120)
    model = TinySleepNet(n_stages=len(ds.STAGES))
    trainer = Trainer(model, lr=2e-3, class_weights=ds.class_weights())
    trainer.fit(ds, steps=steps, report_every=60)
    print("per stage recall:", {s: round(r, 2) for s, r in zip(ds.STAGES, trainer.meter.recall(5))})
    print("kappa: %.3f" % trainer.meter.kappa(5))


if __name__ == "__main__":
    main()
