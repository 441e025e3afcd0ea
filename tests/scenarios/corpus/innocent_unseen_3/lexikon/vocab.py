import torch
from torch import nn


class GrowingTable(nn.Module):
    """An embedding that gets more rows when unseen words turn up; the optimiser's moments grow along."""

    def __init__(self, dim, block=64):
        super().__init__()
        self.block, self.ids = block, {}
        self.rows = nn.Parameter(torch.randn(block, dim) * .1)
        self.out = nn.Parameter(torch.zeros(block, dim))

    def lookup(self, words, opt):
        unseen = [w for w in words if w not in self.ids]
        for w in unseen:
            self.ids.setdefault(w, len(self.ids))
        while len(self.ids) > len(self.rows):
            self._extend("rows", .1, opt)
            self._extend("out", 0., opt)
        return torch.tensor([self.ids[w] for w in words])

    @torch.no_grad()
    def _extend(self, name, scale, opt):
        old = getattr(self, name)
        new = nn.Parameter(torch.cat([old, torch.randn(self.block, old.shape[1]) * scale]))
        for group in opt.param_groups:
            group["params"] = [new if p is old else p for p in group["params"]]
        if old in opt.state:
            state = opt.state.pop(old)
            opt.state[new] = {k: torch.cat([v, torch.zeros(self.block, v.shape[1])]) if torch.is_tensor(v) and v.dim() else v
                              for k, v in state.items()}
        setattr(self, name, new)
