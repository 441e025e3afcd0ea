# gradwatch-corpus: kind=second-backward
# holder: self._entry.value | self._entry | self.bank._entry.value | bank._entry.value | trainer.bank._entry.value
# first-bad: 121
# notice: 0
"""Keyword spotting with class prototypes: frozen encoder features first, joint training later."""
import torch

from config import Config
from trainer import PrototypeTrainer


def main() -> None:
    torch.set_num_threads(1)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    trainer = PrototypeTrainer.from_config(cfg)
    for report in trainer.run():
        print(report)


if __name__ == "__main__":
    main()
