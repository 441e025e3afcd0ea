import torch
import torch.nn as nn


class DrumNet(nn.Module):
    def __init__(self, pads, hid=40, depth=2):
        super().__init__()
        self.hid = hid
        self.cells = nn.ModuleList(nn.LSTMCell(pads if d == 0 else hid, hid) for d in range(depth))
        self.out = nn.Linear(hid, pads)

    def blank(self, lanes):
        z = lambda: torch.zeros(lanes, self.hid)
        return {"layers": [(z(), z()) for _ in self.cells], "beat": 0}

    def forward(self, chunk, state):
        layers, beat = list(state["layers"]), state["beat"]
        hits = []
        for x in chunk:
            for d, cell in enumerate(self.cells):
                layers[d] = cell(x, layers[d])
                x = layers[d][0]
            hits.append(self.out(x))
            beat += 1
        return torch.stack(hits), {"layers": layers, "beat": beat}
