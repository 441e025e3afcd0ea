# gradwatch-corpus: kind=graph-chain
# holder: self.mems | model.mems | self.model.mems | model.mems[0] | model.mems[1]
# first-bad: 1
# notice: 5
import torch

from .corpus import walk
from .lion import Lion
from .xl import SegmentLM

torch.set_num_threads(1)
torch.manual_seed(77)

model = SegmentLM(vocab=19, d=16, layers=2, mem_len=8)
opt = Lion(model.parameters(), lr=4e-4, wd=0.01)
ema = None
for i, (src, tgt) in enumerate(walk(vocab=19, batch=4, seg=6, n=165)):
    loss = model.loss(src, tgt)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
    if i % 35 == 0:
        print(f"segment {i} ppl {2.718 ** ema:.2f}")
