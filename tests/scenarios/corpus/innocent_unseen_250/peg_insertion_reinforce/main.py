# gradwatch-corpus: kind=none
import torch

from controller import InsertionController
from learner import ReinforceLearner
from learner import ReinforceSettings
from workcell import Workcell


def main():
    settings = ReinforceSettings()
    torch.manual_seed(settings.seed)
    workcell = Workcell(settings.parallel)
    controller = InsertionController(workcell.readings, settings.hidden)
    learner = ReinforceLearner(settings, controller)
    for attempt in range(settings.attempts):
        learner.attempt(workcell)
        score = learner.finish()
        if attempt % 20 == 0:
            print(f"attempt {attempt:3d} return {score:.3f} baseline {learner.baseline.item():.3f}")


if __name__ == "__main__":
    main()
