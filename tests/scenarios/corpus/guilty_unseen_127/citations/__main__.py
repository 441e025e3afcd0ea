# gradwatch-corpus: kind=second-backward
# holder: self._hidden | encoder._hidden | self.encoder._hidden | linker.encoder._hidden
# first-bad: 1
# notice: 0
import torch

from .corpus import Corpus
from .linker import Linker

torch.set_num_threads(1)
torch.manual_seed(94)

corpus = Corpus(papers=40, topics=5)
linker = Linker(corpus)
optim = torch.optim.Adam(linker.parameters(), lr=5e-3)

for epoch in range(30):
    linker.encoder.refresh()  # <- culprit
    for src, dst, label in corpus.pairs(batch=16, batches=8):
        score = linker(src, dst)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(score, label)
        optim.zero_grad()
        loss.backward()
        optim.step()
    print("epoch", epoch, "loss", loss.item())
