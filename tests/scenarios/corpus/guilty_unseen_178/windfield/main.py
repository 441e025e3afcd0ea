# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch

from fields import WindField
from network import GridForecaster
from training import ForecastTrainer


def main():
    torch.manual_seed(51)
    field = WindField(grid=5, seed=2)
    trainer = ForecastTrainer(GridForecaster(grid=5, dim=16), lr=2e-3)
    for step in range(400):
        loss = trainer.step(field.pair(batch=12))
        if step % 50 == 0:
            print(step, round(loss, 4))


if __name__ == "__main__":
    main()
