# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 8
"""Condition monitoring of a gas turbine: two independent heads on two sensor groups,
remaining life from temperatures and fault class from vibration, trained in one run."""
import torch

from core.engine import Engine
from core.settings import Settings
from plant import Plant
from tasks.fault import FaultTask
from tasks.life import LifeTask


def main():
    torch.set_num_threads(1)
    settings = Settings(rounds=220)
    torch.manual_seed(settings.seed)
    plant = Plant(settings.seed)
    engine = Engine([LifeTask(plant), FaultTask(plant)], settings)
    for n in range(settings.rounds):
        engine.round()
        if n % 44 == 43:
            print(n + 1, "  ".join(f"{k}={v:.3f}" for k, v in engine.summary().items()))


if __name__ == "__main__":
    main()
