# gradwatch-corpus: kind=second-backward
# first-bad: 9
import torch

from .data import cohort
from .model import LungNet
from .training import MultiTaskTrainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    model = LungNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    trainer = MultiTaskTrainer(model, optimizer, weights={"seg": 1.0, "report": 0.5})
    trainer.fit(cohort(n_batches=60))
    for task, curve in trainer.curves.items():
        print(f"{task}: {curve[0]:.3f} -> {curve[-1]:.3f}")


if __name__ == "__main__":
    main()
