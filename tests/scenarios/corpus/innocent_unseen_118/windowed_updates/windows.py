from collections import defaultdict

import torch


class WindowedBackward:
    """Losses wait, by tag, until `size` of them are there; then one backward over their mean."""

    def __init__(self, opt, size):
        self.opt = opt
        self.size = size
        self.waiting = defaultdict(list)
        self.updates = 0
        self.means = []

    def add(self, loss, tag):
        self.waiting[tag].append(loss)
        if sum(map(len, self.waiting.values())) >= self.size:
            self.flush()

    def flush(self):
        per_tag = [torch.stack(v).mean() for v in self.waiting.values()]
        total = torch.stack(per_tag).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.updates += 1
        self.means.append(total.item())
        for v in self.waiting.values():
            v.clear()
        self.waiting.clear()
