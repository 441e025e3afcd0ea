from typing import NamedTuple

import torch


class Batch(NamedTuple):
    who: list
    context: torch.Tensor
    bought: torch.Tensor


class Shop:
    """Opening week: every customer registers once, in turn. After that they come back at random."""

    def __init__(self, customers, categories, per_batch, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(customers, categories, generator=self.gen) * 1.5
        self.per_batch = per_batch

    def stream(self, batches):
        total = self.taste.shape[0]
        opening = total // self.per_batch
        for b in range(batches):
            if b < opening:
                who = torch.arange(b * self.per_batch, (b + 1) * self.per_batch)
            else:
                who = torch.randperm(total, generator=self.gen)[: self.per_batch]
            context = torch.randn(len(who), 6, generator=self.gen)
            lean = self.taste[who]
            lean = lean + torch.nn.functional.pad(context, (0, lean.shape[1] - 6))
            bought = torch.multinomial(lean.softmax(1), 1, generator=self.gen).squeeze(1)
            yield Batch(who.tolist(), context, bought)
