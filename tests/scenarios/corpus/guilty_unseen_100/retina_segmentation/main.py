# gradwatch-corpus: kind=graph-held
# holder: self.total | self.meters["dice"].total | m.total | trainer.val_meters.meters["dice"].total | self.meters["boundary"].total
# first-bad: 4
# notice: 8
import torch

from seg.config import Config
from seg.hooks import HOOKS
from seg.networks import TinyUNet
from seg.synth import VesselSet
from seg.trainer import Trainer


def main():
    torch.set_num_threads(1)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    trainer = Trainer(cfg, TinyUNet(cfg.channels), VesselSet(cfg.n_train, cfg.size), VesselSet(cfg.n_val, cfg.size))
    for name in cfg.hooks:
        trainer.add_hook(HOOKS[name](cfg))
    trainer.train()


if __name__ == "__main__":
    main()
