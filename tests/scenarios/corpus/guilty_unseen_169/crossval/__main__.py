# gradwatch-corpus: kind=graph-held
# holder: self.rows | self.drift.rows | runner.drift.rows
# first-bad: 31
# notice: 8
# also: graph-unused
import torch

from .folds import kfold
from .runner import CrossValidator

torch.set_num_threads(1)
torch.manual_seed(21)


def main():
    x = torch.randn(300, 8)
    y = (x[:, 0] + 0.5 * x[:, 1] ** 2 - x[:, 2] * x[:, 3] > 0.4).float()
    runner = CrossValidator(hidden=24, lr=5e-3, epochs=6, batch=48)
    scores = [runner.run_fold(k, x, y, tr, va) for k, (tr, va) in enumerate(kfold(len(x), 4))]
    print("accuracy per fold", [round(s, 3) for s in scores])
    print("drift at the end of each fold", runner.drift.last_of_each_fold())


if __name__ == "__main__":
    main()
