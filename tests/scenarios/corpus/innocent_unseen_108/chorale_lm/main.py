# gradwatch-corpus: kind=none
"""Next-chord model on synthetic chorales, k1/k2 truncated back-propagation."""
import torch

from chorales import Corpus
from lm import ChordLM
from tbptt import Truncated


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1685)
    corpus = Corpus(voices=16, length=2400, seed=1750)
    lm = ChordLM(corpus.n_chords, dim=16, hidden=32)
    opt = torch.optim.Adam(lm.parameters(), lr=4e-3)
    runner = Truncated(lm, opt, window=6)
    for n, bits in enumerate(runner.run(corpus)):
        if n % 50 == 0:
            print("update %3d  %.3f bits per chord" % (n, bits))
    print("mean of last 40: %.3f" % runner.recent())


if __name__ == "__main__":
    main()
