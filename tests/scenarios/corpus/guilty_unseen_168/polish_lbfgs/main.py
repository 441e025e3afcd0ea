# gradwatch-corpus: kind=second-backward
# holder: feats | features
# first-bad: 60
"""Two stages: Adam on everything, then a few quasi-Newton steps."""
import torch

from fit import coarse, polish
from surrogate import Surrogate, measurements

torch.set_num_threads(1)
torch.manual_seed(6)


def main():
    gen = torch.Generator().manual_seed(3)
    net = Surrogate(inputs=5)
    level = coarse(net, measurements(gen, count=60))
    print(f"after coarse stage {level:.4f}")
    x, y = next(measurements(gen, count=1, size=256))
    for value in polish(net, x, y, rounds=10):
        print(f"polish {value:.5f}")


if __name__ == "__main__":
    main()
