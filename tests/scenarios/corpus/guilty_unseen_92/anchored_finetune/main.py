# gradwatch-corpus: kind=graph-chain
# holder: self._value | shadow.value | self.shadows | self.penalty.shadows | trainer.penalty.shadows | trainer.penalty.shadows['out.bias']._value
# first-bad: 61
# notice: 5
"""Fine-tune a property regressor while holding it near a slowly moving anchor."""
import torch

from config import AnchorConfig, TrainConfig
from data import make_loader
from model import PropertyNet
from trainer import Trainer


def main() -> None:
    torch.set_num_threads(1)
    cfg = TrainConfig(anchor=AnchorConfig(name="moving", weight=0.05, momentum=0.98, start_step=60))
    torch.manual_seed(cfg.seed)
    model = PropertyNet(cfg.n_features, cfg.hidden)
    trainer = Trainer(model, cfg)
    trainer.fit(make_loader(cfg))
    print(f"done after {trainer.global_step} steps, loss {trainer.last_loss:.4f}")


if __name__ == "__main__":
    main()
