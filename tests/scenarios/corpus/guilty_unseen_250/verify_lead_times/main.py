# gradwatch-corpus: kind=graph-held
# holder: self.errors | self.errors[lead] | scorecard.errors | self.scorecard.errors | experiment.scorecard.errors
# first-bad: 1
import torch

from atmosphere import ToyAtmosphere
from experiment import ForecastExperiment
from experiment import ExperimentConfig


def main():
    torch.manual_seed(2)
    config = ExperimentConfig()
    experiment = ForecastExperiment(config, ToyAtmosphere(config.stations))
    experiment.run()
    scorecard = experiment.scorecard
    for lead, rmse in scorecard.table():
        print(f"lead +{lead * 6:02d}h  rmse {rmse:.3f}")


if __name__ == "__main__":
    main()
