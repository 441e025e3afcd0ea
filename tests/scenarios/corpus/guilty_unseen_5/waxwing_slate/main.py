# gradwatch-corpus: kind=graph-chain
# holder: self.table | self.slate.table | reader.slate.table | scribe.reader.slate.table | self.reader.slate.table | self.weight | self.slate.weight | reader.slate.weight | scribe.reader.slate.weight | self.reader.slate.weight
# first-bad: 1
"""Character model whose only context is a fading fast-weight slate."""
import itertools
import types

import torch

from reader import Reader, Scribe
from stream import ALPHABET, babble

cfg = types.SimpleNamespace(seed=3, span=32, spans=300, lr=3e-3, every=60)


def main():
    torch.manual_seed(cfg.seed)
    scribe = Scribe(Reader(len(ALPHABET)), cfg.lr)
    smooth = None
    for i, (ids, first) in enumerate(itertools.islice(babble(cfg.seed, cfg.span), cfg.spans)):
        if first:
            scribe.begin_document()
        nats = scribe.learn(torch.tensor(ids))
        smooth = nats if smooth is None else 0.95 * smooth + 0.05 * nats
        if i % cfg.every == 0:
            print(f"span {i:4d}  nats/char {smooth:.3f}  written {scribe.reader.slate.written}")
    print(f"final {smooth:.3f}")


if __name__ == "__main__":
    main()
