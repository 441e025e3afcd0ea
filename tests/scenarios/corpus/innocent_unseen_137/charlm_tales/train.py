import torch
import torch.nn.functional as F


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def update(self, value, n=1):
        self.total += value.item() * n
        self.n += n


class Runner:
    def __init__(self, lm, lanes, window):
        self.lm, self.lanes, self.window = lm, lanes, window
        self.opt = torch.optim.Adam(lm.parameters(), lr=5e-3)

    def fit(self, ids, passes):
        rows = ids[: len(ids) // self.lanes * self.lanes].view(self.lanes, -1)
        for p in range(passes):
            self.lm.state, meter = None, Meter()
            for i in range(0, rows.shape[1] - self.window - 1, self.window):
                x, y = rows[:, i:i + self.window], rows[:, i + 1:i + self.window + 1]
                self.lm.cut()
                loss = F.cross_entropy(self.lm(x).flatten(0, 1), y.flatten())
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                meter.update(loss, x.numel())
            print(p, meter.total / meter.n)
