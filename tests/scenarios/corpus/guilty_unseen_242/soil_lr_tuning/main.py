# gradwatch-corpus: kind=graph-chain
# holder: self.weights | tuner.weights
# first-bad: 1
"""Soil moisture from spectral bands. The learning rate itself is learned:
one step look-ahead, the validation loss after the step gives the gradient for log_lr."""
import json

import torch

from bands import make_bands
from tuner import RateTuner


def main():
    torch.manual_seed(5)
    data = make_bands(n=900, bands=12)
    tuner = RateTuner(sizes=(12, 20, 1), start_lr=0.02, rate_lr=0.01)
    results = []
    for step in range(70):
        tb = data.batch("train", 48)
        vb = data.batch("valid", 48)
        row = tuner.step(tb, vb)
        row["step"] = step
        results.append(row)
    for row in results[::10]:
        print(json.dumps(row))
    print("final lr", round(results[-1]["lr"], 5))
    print("test mse", round(tuner.score(data.full("test")), 4))


if __name__ == "__main__":
    main()
