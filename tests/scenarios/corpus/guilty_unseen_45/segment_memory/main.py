# gradwatch-corpus: kind=graph-chain
# holder: memory | self.memory | trainer.memory
# first-bad: 1
"""Recurrent-memory transformer over segments of a copy/recall task."""
import torch
import torch.nn.functional as F

from lion import Lion
from rmt import MemoryTransformer


class RecallBook:
    """Endless documents: keys announced early come back as questions later."""

    def __init__(self, lanes=8, vocab=32, seg_len=16, seed=4):
        self.lanes, self.vocab, self.seg_len = lanes, vocab, seg_len
        self.gen = torch.Generator().manual_seed(seed)
        self.table = torch.randint(vocab, (lanes, vocab), generator=self.gen)

    def next_segment(self):
        keys = torch.randint(self.vocab, (self.lanes, self.seg_len // 2), generator=self.gen)
        vals = self.table.gather(1, keys)
        return torch.stack([keys, vals], dim=2).flatten(1)


class SegmentTrainer:
    def __init__(self, model, opt, clip=1.0):
        self.model = model
        self.opt = opt
        self.clip = clip
        self.memory = None

    def fit_segment(self, ids):
        if self.memory is None:
            self.memory = self.model.fresh_memory(ids.shape[0])
        logits, self.memory = self.model(ids[:, :-1], self.memory)  # <- culprit
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()
        return loss.item()


def main(segments=62):
    torch.manual_seed(1)
    book = RecallBook()
    model = MemoryTransformer(vocab=book.vocab, width=32, n_mem=4, max_len=book.seg_len)
    trainer = SegmentTrainer(model, Lion(model.parameters(), lr=4e-4, weight_decay=0.01))
    avg = None
    for s in range(segments):
        nll = trainer.fit_segment(book.next_segment())
        avg = nll if avg is None else 0.9 * avg + 0.1 * nll
        if s % 10 == 9:
            print(f"segment {s + 1:3d}  nll {nll:.3f}  smoothed {avg:.3f}")


if __name__ == "__main__":
    main()
