# gradwatch-corpus: kind=graph-held
# holder: self.calls | ledger.calls | self.ledger.calls | ctx.x | c.x
# first-bad: 1
# notice: 8
"""Quantisation-aware training of a keyword spotter; clipping statistics printed at the end."""
import torch

from qat.audio import keyword_frames
from qat.blocks import Spotter
from qat.fit import Fitter, FitterConfig
from qat.ledger import ClipLedger


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    ledger = ClipLedger()
    model = Spotter(n_mels=10, frames=12, classes=6, bits=4, ledger=ledger)
    fitter = Fitter(model, FitterConfig(steps=350, lr=3e-3, warmup=20))
    fitter.fit(keyword_frames(6, n_mels=10, frames=12, batch=16))
    for layer, row in sorted(ledger.summary().items()):
        print(f"{layer:8s} clipped {row['clipped']:.3f}  grad kept {row['kept']:.3f}  ({row['n']} calls)")


if __name__ == "__main__":
    main()
