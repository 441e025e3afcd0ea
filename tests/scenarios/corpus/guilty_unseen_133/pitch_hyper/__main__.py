# gradwatch-corpus: kind=graph-chain
# holder: self.weights | tuner.weights | moved
# first-bad: 41
# notice: 5
import torch

torch.set_num_threads(1)

from .plan import load
from .tuner import PitchTuner
from .wind import gusts


def main():
    torch.manual_seed(55)
    plan = load()
    tuner = PitchTuner(features=5, plan=plan)
    trace = [tuner.tick(fit, check) for fit, check in gusts(plan.total)]
    print({"first": trace[0], "last": trace[-1], "rate": tuner.rate()})


if __name__ == "__main__":
    main()
