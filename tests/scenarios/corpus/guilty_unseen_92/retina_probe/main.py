# gradwatch-corpus: kind=graph-held
# holder: self.totals | probe.totals | self.probe.totals | trainer.probe.totals | entry.energy | self.totals[name].energy | trainer.probe.totals['down'].energy
# first-bad: 51
# notice: 8
"""Vessel segmentation on toy fundus patches, with activation probes after the first validation."""
import torch

from config import ProbeConfig, RunConfig
from patches import patch_loader
from trainer import SegTrainer
from unet import MiniUNet


def main() -> None:
    cfg = RunConfig(epochs=9, batch=8, patches=240, probe=ProbeConfig(kinds=("Conv2d",)))
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    trainer = SegTrainer(MiniUNet(width=4), cfg)
    trainer.fit(patch_loader(cfg.patches, cfg.batch), patch_loader(16, 16))
    for row in trainer.probe.report():
        print(row)


if __name__ == "__main__":
    main()
