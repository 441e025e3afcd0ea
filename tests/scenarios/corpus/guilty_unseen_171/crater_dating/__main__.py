# gradwatch-corpus: kind=memory-climb
# holder: self.weights | run.hooks[0].weights | guard.weights
# first-bad: 1
"""Fits the crater age regressor and prints its held-out error (python -m crater_dating)."""
import torch

from .fitting import Run
from .hooks import Printer, RollBack
from .profiles import crater_profiles


def main():
    torch.manual_seed(23)
    guard = RollBack()
    run = Run(crater_profiles(1500, seed=1), crater_profiles(300, seed=2),
              hooks=[guard, Printer(every=100)])
    mae = run.go(steps=600, batch=48)
    print(f"best step {guard.best_step}, held-out MAE {mae:.4f}")


if __name__ == "__main__":
    main()
