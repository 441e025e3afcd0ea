# gradwatch-corpus: kind=graph-held
# holder: self.caught | guard.caught | self.guard.caught | trainer.guard.caught | Guard.caught
# first-bad: 3
# notice: 8
"""Autoencoder on wind-turbine vibration spectra. Bursts are tolerated and listed at the end."""
import torch

from guard import Guard
from model import SpectrumAE
from signals import Nacelle
from training import Trainer

torch.set_num_threads(1)
torch.manual_seed(300)

if __name__ == "__main__":
    trainer = Trainer(SpectrumAE(32, 6), Nacelle(bins=32, batch=16, seed=9), Guard())
    trainer.fit(windows=330)
    print(f"{len(trainer.guard.caught)} bursts tolerated")
    for kind, count, worst in trainer.guard.digest():
        print(f"  {kind:15s} {count:4d}  worst {worst:.2f}")
