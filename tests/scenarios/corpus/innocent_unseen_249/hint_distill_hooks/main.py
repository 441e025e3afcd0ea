# gradwatch-corpus: kind=none
"""Hint distillation for machine-sound spectrograms with scoped activation capture."""
import torch

from runner import HintConfig
from runner import HintRunner


def main():
    torch.manual_seed(81)
    runner = HintRunner(HintConfig())
    for epoch in range(runner.cfg.epochs):
        report = runner.epoch()
        print(f"epoch {epoch} " + " ".join(f"{k}={v:.4f}" for k, v in report.items()))


if __name__ == "__main__":
    main()
