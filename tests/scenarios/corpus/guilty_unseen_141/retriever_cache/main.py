# gradwatch-corpus: kind=second-backward
# holder: self._vecs | index._vecs | self.index._vecs
# first-bad: 60
# notice: 0
import torch

from index import PassageIndex
from towers import Encoder, question_batch

torch.set_num_threads(1)
torch.manual_seed(55)

passages = torch.randint(1, 50, (30, 8))
question_enc, passage_enc = Encoder(50, 20), Encoder(50, 20)
index = PassageIndex(passage_enc, passages, warmup=60, refresh=25)
opt = torch.optim.AdamW(list(question_enc.parameters()) + list(passage_enc.parameters()), lr=3e-3)

for step in range(500):
    q, gold = question_batch(passages, 10)
    scores = question_enc(q) @ index.vectors(step).t() / 0.1
    loss = torch.nn.functional.cross_entropy(scores, gold)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, round(loss.item(), 3), (scores.argmax(1) == gold).float().mean().item())
