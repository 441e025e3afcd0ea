import torch
import torch.nn as nn


class StackedGRU(nn.Module):
    def __init__(self, n_in, n_hid, n_layers):
        super().__init__()
        self.n_hid = n_hid
        self.cells = nn.ModuleList(
            [nn.GRUCell(n_in if i == 0 else n_hid, n_hid) for i in range(n_layers)]
        )
        self.out = nn.Linear(n_hid, 1)
        self.hidden = None

    def init_hidden(self, batch):
        self.hidden = [torch.zeros(batch, self.n_hid) for _ in self.cells]

    def forward(self, seq):
        # seq: time, batch, features
        hs = list(self.hidden)  # <- culprit
        preds = []
        for x_t in seq:
            inp = x_t
            for i, cell in enumerate(self.cells):
                hs[i] = cell(inp, hs[i])
                inp = hs[i]
            preds.append(self.out(inp))
        self.hidden = hs  # <- culprit
        return torch.stack(preds)
