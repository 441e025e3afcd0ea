# gradwatch-corpus: kind=none
"""Credit default scoring, five-fold over and over; the meters go back to blank with each fold."""
import torch

from lib.book import Book
from lib.scoring import Scorer, applicants

torch.set_num_threads(1)
torch.manual_seed(77)


def main(repeats=4, folds=5, iters=20):
    x, y = applicants(1000)
    part = torch.randperm(len(x)) % folds
    book = Book("bce", "margin", "l2")
    for rep in range(repeats):
        scorer = Scorer(x.size(1))
        for fold in range(folds):
            with book.page(f"r{rep}f{fold}"):
                train = (part != fold).nonzero().squeeze(1)
                for it in range(iters):
                    idx = train[torch.randint(len(train), (64,))]
                    terms = scorer.update(x[idx], y[idx])
                    if it % 2 == 0:
                        book.write(**terms)
                held = part == fold
                book.close_with(auc=scorer.auc(x[held], y[held]))
        print(rep, book.index[-1])


if __name__ == "__main__":
    main()
