from collections import defaultdict

import torch


class SequentialCalibration:
    def __init__(self, basin, record, chunk, lr):
        self.basin = basin
        self.record = record
        self.chunk = chunk
        self.opt = torch.optim.Adam(basin.parameters(), lr=lr)
        self.errors = defaultdict(list)

    def run(self):
        for start, precip, temp, flow in self.record.chunks(self.chunk):
            simulated = self.basin(precip, temp)
            mse = ((simulated - flow) ** 2).mean()
            self.opt.zero_grad()
            mse.backward()
            self.opt.step()
            self.basin.stores = self.basin.stores.cut()
            self.errors[start // 365].append(mse.item())

    def yearly_scores(self):
        return [(y, sum(v) / len(v)) for y, v in sorted(self.errors.items())]
