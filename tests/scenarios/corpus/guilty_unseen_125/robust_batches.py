# gradwatch-corpus: kind=graph-held
# holder: self.rejected | loop.rejected | rejected
# first-bad: 1
# notice: 8
"""Regression on noisy sensor batches: batches with an outlying loss are set aside."""
import torch

torch.set_num_threads(1)


class OutlierBatch(RuntimeError):
    pass


def guarded(value, limit):
    if value.detach() > limit:
        raise OutlierBatch(f"loss {value.item():.2f} above {limit:.2f}")
    return value


class Loop:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.rejected = []
        self.done = 0

    def one(self, x, y):
        pred = self.model(x)
        loss = torch.nn.functional.smooth_l1_loss(pred, y)
        loss = guarded(loss, 4.0)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.done += 1

    def run(self, stream):
        for i, (x, y) in enumerate(stream):
            try:
                self.one(x, y)
            except OutlierBatch as err:
                self.rejected.append((i, err))  # <- culprit
        return self.done


def sensor_stream(n, gen):
    coef = torch.randn(6, 1, generator=gen)
    for i in range(n):
        x = torch.randn(20, 6, generator=gen)
        y = x @ coef + 0.05 * torch.randn(20, 1, generator=gen)
        if i % 2 == 0:
            y = y + 12.0
        yield x, y


torch.manual_seed(2)
model = torch.nn.Sequential(torch.nn.Linear(6, 24), torch.nn.LayerNorm(24), torch.nn.Softplus(), torch.nn.Linear(24, 1))
loop = Loop(model, torch.optim.SGD(model.parameters(), lr=0.01))
n_ok = loop.run(sensor_stream(700, torch.Generator().manual_seed(4)))
print("trained on", n_ok, "rejected", len(loop.rejected), "last:", loop.rejected[-1][1])
