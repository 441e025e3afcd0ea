# gradwatch-corpus: kind=graph-unused
# first-bad: 9
import torch

from .data import churn_table
from .fit import Fitter


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    x, y = churn_table()
    folds = torch.randperm(len(x)).chunk(3)
    results = []
    for hidden in (16, 32):
        scores = []
        for train_idx in folds:
            mask = torch.ones(len(x), dtype=torch.bool)
            mask[train_idx] = False
            fitter = Fitter(x.shape[1], hidden)
            loss, acc = fitter.run((x[train_idx], y[train_idx]), (x[mask], y[mask]))
            scores.append(acc)
            print(f"hidden {hidden} loss {loss:.4f} acc {acc:.3f}")
        results.append((sum(scores) / len(scores), hidden))
    print("best", max(results))


main()
