# gradwatch-corpus: kind=graph-chain
# holder: self._carry | self.estimator._carry | estimator._carry | est._carry
# first-bad: 1
# notice: 5
"""Soft sensor for the bottom-product purity of a distillation column.

The line runs without interruption, so the estimator is trained on a
continuous stream: one minute of samples in, one optimiser step.
"""
import torch

from estimators import build
from plant import ColumnStream
from trainer import StreamTrainer, TrainerConfig


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2024)

    stream = ColumnStream(n_columns=6, n_tags=5)
    est = build("diagonal", n_tags=5, n_modes=12)
    cfg = TrainerConfig(minutes=170, lr=8e-3, report_every=34)
    trainer = StreamTrainer(est, cfg)
    err = trainer.run(stream)
    print(f"mean abs error over the last hour: {err:.4f}")
    poles = torch.sigmoid(est.pole.detach())
    print("slowest / fastest mode:", round(float(poles.max()), 3), round(float(poles.min()), 3))


if __name__ == "__main__":
    main()
