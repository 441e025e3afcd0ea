# gradwatch-corpus: kind=second-backward
# first-bad: 30

import torch

from .shapes import real_contours
from .trainer import GanTrainer

torch.manual_seed(23)


def main(n_iter=600, pretrain=30):
    trainer = GanTrainer(n_points=24, z_dim=8)
    for it in range(n_iter):
        real = real_contours(32, 24)
        if it < pretrain:
            stats = trainer.pretrain_step(real)
        else:
            stats = trainer.adversarial_step(real)
        if it % 50 == 0:
            print(it, {k: round(v, 4) for k, v in stats.items()})


if __name__ == "__main__":
    main()
