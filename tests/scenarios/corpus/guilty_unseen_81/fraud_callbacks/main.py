# gradwatch-corpus: kind=graph-held
# holder: self._reservoir | cb._reservoir | hardest._reservoir | entry | value
# first-bad: 1
# notice: 8
"""Card-not-present fraud scorer.  `python fraud_callbacks/main.py [--days 3]`"""
import argparse

import torch

from callbacks import HardestTransactions, LearningRateRamp, RecallMeter
from data import transactions
from trainer import Trainer


class FraudNet(torch.nn.Module):
    def __init__(self, n_merchants=40, n_num=6, width=24):
        super().__init__()
        self.merchant = torch.nn.Embedding(n_merchants, 8)
        self.body = torch.nn.Sequential(
            torch.nn.Linear(8 + n_num, width), torch.nn.GELU(),
            torch.nn.LayerNorm(width),
            torch.nn.Linear(width, width), torch.nn.GELU(),
            torch.nn.Linear(width, 1),
        )

    def forward(self, merchant, numeric):
        return self.body(torch.cat([self.merchant(merchant), numeric], 1)).squeeze(1)


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=3)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=11)
    a = ap.parse_args(argv)

    torch.set_num_threads(1)
    torch.manual_seed(a.seed)

    model = FraudNet()
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr)
    hardest = HardestTransactions(per_batch=2)
    t = Trainer(model, opt, callbacks=[LearningRateRamp(10, a.lr), RecallMeter(), hardest])
    for day in range(a.days):
        t.fit_day(transactions(40, 64, seed=a.seed + day), day)
    print("review queue:")
    for rank, (score, txn, when) in enumerate(hardest.top(5)):
        print(f"  {rank + 1}. loss={score:.3f} txn={txn} step={when}")


if __name__ == "__main__":
    main()
