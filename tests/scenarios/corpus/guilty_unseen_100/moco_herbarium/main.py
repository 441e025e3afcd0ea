# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | queue.keys | self.queue.keys | learner.queue.keys
# first-bad: 25
# notice: 0
"""Contrastive pre-training on synthetic leaf scans, with a key queue once the encoder has settled."""
import torch

from herbarium.callbacks import KeyWriter, LossPrinter, MomentumUpdate, QueueGate
from herbarium.learner import ContrastiveLearner
from herbarium.options import Options
from herbarium.scans import two_views


def run(opts):
    torch.manual_seed(opts.seed)
    learner = ContrastiveLearner(opts)
    learner.use(MomentumUpdate(opts.momentum))
    learner.use(QueueGate(opts.queue_from))
    learner.use(KeyWriter())
    learner.use(LossPrinter(10))
    learner.fit(two_views(opts), opts.iters)


if __name__ == "__main__":
    torch.set_num_threads(1)
    run(Options())
