# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.state.level | model.smoother.state | self.smoother.state
# first-bad: 1
import torch

from forecaster import SeasonalForecaster
from series import LoadSeries
from trainer import OnlineTrainer

CONFIG = {
    "seed": 5,
    "series": {"stations": 24, "period": 12, "noise": 0.15},
    "model": {"period": 12, "hidden": 16},
    "train": {"steps": 110, "lr": 2e-2, "clip": 1.0},
}


def main(cfg):
    torch.manual_seed(cfg["seed"])
    series = LoadSeries(**cfg["series"])
    model = SeasonalForecaster(stations=cfg["series"]["stations"], **cfg["model"])
    report = OnlineTrainer(model, **cfg["train"]).run(series)
    print("mean abs err first/last 20:", report)


if __name__ == "__main__":
    main(CONFIG)
