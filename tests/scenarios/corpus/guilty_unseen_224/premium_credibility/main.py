# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.credibility.level | engine.model.credibility.level | self.model.credibility.level
# first-bad: 1
"""Motor insurance: monthly claim frequency with a smoothed market level."""
import torch

from engine import Engine
from portfolio import Portfolio
from pricing import PricingModel


def main():
    torch.manual_seed(77)
    book = Portfolio(policies=3000, months=120, seed=5)
    model = PricingModel(n_features=book.n_features, n_regions=book.n_regions)
    engine = Engine(model, lr=3e-3)
    for month in range(book.months):
        rows = book.sample(month, 256)
        engine.train_month(rows)
        if month % 24 == 0:
            print(engine.summary(month))
    print(engine.summary(book.months))


if __name__ == "__main__":
    main()
