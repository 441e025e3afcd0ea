# gradwatch-corpus: kind=none
"""Meta-learning of dose-response curves over drugs (second-order MAML)."""
import torch

from lib.maml import MetaLearner
from lib.assays import AssayBook

torch.set_num_threads(1)
torch.manual_seed(55)

if __name__ == "__main__":
    book = AssayBook(drugs=6)
    learner = MetaLearner(inner_lr=0.1, inner_steps=2)
    for it in range(420):
        losses = [learner.outer_loss(d, *book.draw(d)) for d in book.pick(2)]
        learner.update(losses)
        if it % 70 == 69:
            print(it + 1, learner.describe())
