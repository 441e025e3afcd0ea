# gradwatch-corpus: kind=graph-held
# holder: journal | solver.journal | self.journal | exc.__traceback__ | journal[-1].__traceback__
# first-bad: 1
# notice: 8
# Predator-prey rates from noisy counts, with an embedded Heun/Euler adaptive integrator.
import torch

torch.set_num_threads(1)
torch.manual_seed(77)


class StepRejected(ArithmeticError):
    def __init__(self, t, h, size):
        super().__init__(f"t={t:.2f} h={h:.3f} err={size:.2e}")
        self.t, self.h = t, h


class Adaptive:
    def __init__(self, field, tol=2e-2, h0=0.8):
        self.field, self.tol, self.h0 = field, tol, h0
        self.journal = []

    def attempt(self, y, t, h):
        k1 = self.field(y)
        euler = y + h * k1
        heun = y + 0.5 * h * (k1 + self.field(euler))
        size = (heun - euler).detach().abs().max().item()
        if size > self.tol * max(1.0, y.detach().abs().max().item()) and h > 0.05:
            raise StepRejected(t, h, size)
        return heun

    def to(self, y, t0, t1):
        t, h = t0, self.h0
        while t < t1 - 1e-9:
            h = min(h, t1 - t)
            try:
                y = self.attempt(y, t, h)
            except StepRejected as exc:
                self.journal.append(exc)  # <- culprit
                h *= 0.5
                continue
            t += h
            h *= 1.3
        return y


class Rates(torch.nn.Module):
    def __init__(self, guess):
        super().__init__()
        self.log = torch.nn.Parameter(torch.tensor(guess).log())

    def forward(self, y):
        a, b, c, d = self.log.exp()
        prey, pred = y
        return torch.stack([a * prey - b * prey * pred, d * prey * pred - c * pred])


grid = [0.0, 0.8, 1.6, 2.4]
y_start = torch.tensor([1.5, 1.0])
with torch.no_grad():
    reference = Adaptive(Rates([1.1, 0.6, 0.9, 0.5]))
    counts, y = [], y_start
    for a, b in zip(grid, grid[1:]):
        y = reference.to(y, a, b)
        counts.append(y)
    counts = torch.stack(counts)

rates = Rates([0.8, 0.5, 0.7, 0.7])
solver = Adaptive(rates)
adam = torch.optim.Adam(rates.parameters(), lr=0.01)
for sweep in range(230):
    y, predicted = y_start, []
    for a, b in zip(grid, grid[1:]):
        y = solver.to(y, a, b)
        predicted.append(y)
    noisy = counts * (1 + 0.02 * torch.randn_like(counts))
    loss = (torch.stack(predicted) - noisy).pow(2).mean()
    adam.zero_grad()
    loss.backward()
    adam.step()
    if sweep % 46 == 45:
        print(sweep + 1, f"loss {loss.item():.5f}", f"rejections so far {len(solver.journal)}")
print("smallest rejected step", min(r.h for r in solver.journal))
print("rates", [round(v, 3) for v in rates.log.exp().tolist()])
