# gradwatch-corpus: kind=graph-held
# holder: self._by_utt | store._by_utt | self.store._by_utt | recipe.store._by_utt
# first-bad: 1
"""CTC on synthetic filterbanks: python -m asr_ctc"""
import torch

from .corpus import Utterances
from .nets import AcousticModel
from .recipe import Recipe


def main():
    torch.manual_seed(99)
    data = Utterances(n=1200, feat=20)
    recipe = Recipe(AcousticModel(feat=20, hidden=24, vocab=10), lr=3e-3)
    for step, batch in enumerate(data.batches(8)):
        stats = recipe.step(batch)
        if step % 50 == 0:
            print(f"step {step} ctc {stats['ctc']:.3f} |h| {stats['norm']:.3f}")
    print("utterances seen:", recipe.store.count())


main()
