# gradwatch-corpus: kind=none
"""Momentum-contrast encoder for case law paragraphs."""
import torch

from callbacks import Curve, Smoother
from learner import QueueLearner


def paragraphs(n, batch=24, vocab=250, length=10, n_points=15, seed=2):
    g = torch.Generator().manual_seed(seed)
    points = torch.softmax(2.2 * torch.randn(n_points, vocab, generator=g), -1)
    for _ in range(n):
        p = points[torch.randint(n_points, (batch,), generator=g)]
        yield torch.multinomial(p, length, generator=g), torch.multinomial(p, length, generator=g)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(1215)
    learner = QueueLearner(vocab=250, dim=24, queue=192, accumulate=2)
    learner.callbacks += [Smoother(12), Curve(every=80)]
    learner.fit(paragraphs(680))
