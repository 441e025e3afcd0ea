# gradwatch-corpus: kind=graph-chain
# holder: self.mean | self.running_mean | trainer.model.frontend.cmvn.mean | model.frontend.cmvn.mean | cmvn.mean
# first-bad: 1
# notice: 5
"""Keyword spotting with a learnable filterbank and online mean normalisation."""
import torch

from data import KeywordStream
from model import KeywordNet
from trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    stream = KeywordStream(n_keywords=5, n_bins=24, n_frames=20, batch_size=8)
    model = KeywordNet(n_bins=24, n_filters=12, n_keywords=5)
    trainer = Trainer(model, lr=2e-3, aux_weight=0.1)
    for step, (spec, label) in zip(range(140), stream):
        stats = trainer.step(spec, label)
        if step % 20 == 0:
            print(f"{step:4d} ce={stats['ce']:.3f} smooth={stats['smooth']:.4f} acc={stats['acc']:.2f}")


if __name__ == "__main__":
    main()
