# gradwatch-corpus: kind=none
"""WGAN-GP for two-point statistics of porous media (toy)."""
import torch

from porous.config import GanConfig
from porous.events import Bus
from porous.media import micrographs
from porous.monitors import Monitors
from porous.nets import Critic, Generator
from porous.solver import GanSolver


def main():
    torch.set_num_threads(1)
    cfg = GanConfig()
    torch.manual_seed(cfg.seed)
    bus = Bus()
    monitors = Monitors(bus)
    GanSolver(cfg, Generator(cfg), Critic(cfg), bus).solve(micrographs(cfg))
    print(monitors.table())


if __name__ == "__main__":
    main()
