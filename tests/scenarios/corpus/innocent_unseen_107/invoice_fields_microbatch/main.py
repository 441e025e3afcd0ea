# gradwatch-corpus: kind=none
# Field tagging of scanned invoices: token features -> {vendor, date, amount, other}.
import torch

from accumulate import MicroBatcher
from documents import documents
from tagger import Tagger


def main(updates=310, micro=4):
    torch.set_num_threads(1)
    torch.manual_seed(40)
    tagger = Tagger(n_feat=8, n_tags=4)
    opt = torch.optim.Adam(tagger.parameters(), lr=5e-3)
    batcher = MicroBatcher(opt, micro)
    stream = documents(n_feat=8, n_tags=4)
    while batcher.updates < updates:
        tokens, tags = next(stream)
        stepped = batcher.push(tagger.loss(tokens, tags), weight=tags.numel())
        if stepped and batcher.updates % 62 == 0:
            print(batcher.updates, f"{batcher.log[-1]:.3f}", "smoothed", f"{batcher.smoothed.item():.3f}")
    print("updates logged", len(batcher.log))


main()
