# gradwatch-corpus: kind=graph-held
# holder: trainer.callbacks[1].rows | recorder.rows | self.rows | callbacks[1].rows
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .callbacks import CALLBACKS, build
from .config import Config
from .policy import Allocator
from .trainer import Trainer


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    policy = Allocator(cfg.assets, cfg.lookback)
    trainer = Trainer(policy, cfg, [build(n) for n in cfg.callbacks])
    trainer.run()
    print("available:", sorted(CALLBACKS))


if __name__ == "__main__":
    main()
