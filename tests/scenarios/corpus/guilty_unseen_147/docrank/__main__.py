# gradwatch-corpus: kind=second-backward
# holder: self._memo[doc_id] | self._memo | store._memo | ranker.store._memo | trainer.ranker.store._memo
# first-bad: 12
# notice: 0
import torch

from .corpus import Corpus
from .trainer import RankTrainer

torch.set_num_threads(1)
torch.manual_seed(66)

trainer = RankTrainer(Corpus(docs=48, vocab=40, length=7))

if __name__ == "__main__":
    trainer.train(epochs=20)
