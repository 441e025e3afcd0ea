from collections import defaultdict

import torch


class Session:
    def __init__(self, field, residual, initial, causal, pool, batch=150):
        self.field = field
        self.residual = residual
        self.initial = initial
        self.causal = causal
        self.pool = pool
        self.batch = batch
        self.opt = torch.optim.Adam(field.parameters(), lr=2e-3)
        self.logbook = defaultdict(list)
        self.latest = None

    def loss_terms(self):
        x, t = self.pool.draw(self.batch)
        residual = self.residual(self.field, x, t)
        self.pool.report(residual)
        interior = self.causal(residual.pow(2), t)
        x0 = torch.rand(64)
        start = (self.field(x0, torch.zeros_like(x0)) - self.initial(x0)).pow(2).mean()
        return {"interior": interior, "start": start}

    def sweeps(self, n):
        for sweep in range(n):
            self.latest = self.loss_terms()
            total = self.latest["interior"] + 10 * self.latest["start"]
            self.opt.zero_grad(set_to_none=True)
            total.backward()
            self.opt.step()
            row = {k: v.item() for k, v in self.latest.items()}
            row["total"] = total.item()
            for k, v in row.items():
                self.logbook[k].append(v)
            yield sweep, row
