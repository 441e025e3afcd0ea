# gradwatch-corpus: kind=none
"""Meta-learn an initialisation (and per-layer step sizes) for battery discharge curves."""
import torch

from curves import DischargeTasks
from meta import MetaConfig, MetaTrainer


def main() -> None:
    torch.set_num_threads(1)
    cfg = MetaConfig(outer_steps=310, inner_steps=2, tasks_per_step=1, first_order_until=100)
    torch.manual_seed(cfg.seed)
    trainer = MetaTrainer(cfg, DischargeTasks(shots=8))
    trainer.train()
    print("best post-adaptation loss", round(trainer.best, 4))


if __name__ == "__main__":
    main()
