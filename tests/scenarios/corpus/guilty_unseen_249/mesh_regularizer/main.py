# gradwatch-corpus: kind=inplace-modified
# first-bad: 9
"""Vertex displacement network for mesh smoothing, with lifecycle callbacks."""
import torch

from callbacks import CallbackList
from callbacks import LossPrinter
from callbacks import UnitRows
from geometry import MeshConfig
from geometry import SphereScans
from trainer import MeshTrainer


def main():
    torch.manual_seed(29)
    cfg = MeshConfig()
    callbacks = CallbackList([UnitRows("code.weight", every=10), LossPrinter(20)])
    trainer = MeshTrainer(cfg, SphereScans(cfg), callbacks)
    trainer.fit(cfg.steps)


if __name__ == "__main__":
    main()
