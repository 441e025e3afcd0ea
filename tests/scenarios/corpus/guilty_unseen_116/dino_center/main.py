# gradwatch-corpus: kind=graph-chain
# holder: state.center | center | self.state.center | crit.state.center | loop.criterion.state.center | criterion.state
# first-bad: 1
# notice: 5
"""Self-distillation on spectrometer traces: two noisy views, one shared encoder, centred targets."""
import torch

from criteria import LOSSES
from encoder import build
from loop import Loop, LoopConfig


def main():
    torch.set_num_threads(1)
    cfg = LoopConfig()
    torch.manual_seed(cfg.seed)
    model = build("shallow", bands=cfg.bands, protos=cfg.protos)
    criterion = LOSSES["centred"](cfg.protos, momentum=cfg.momentum, temp=cfg.temp)
    Loop(cfg, model, criterion).run()


if __name__ == "__main__":
    main()
