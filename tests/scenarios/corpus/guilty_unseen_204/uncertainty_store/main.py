# gradwatch-corpus: kind=graph-held
# holder: self._by_step | ledger._by_step | runner.ledger._by_step
# first-bad: 1
# notice: 16
import torch

from ledger import Ledger, LedgerMixin
from model import GaussianRegressor, nll


class Runner(LedgerMixin):
    def __init__(self, steps, seed=0):
        torch.manual_seed(seed)
        self.steps = steps
        self.net = GaussianRegressor(4)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.attach(Ledger(every=2))

    def stream(self):
        gen = torch.Generator().manual_seed(9)
        for _ in range(self.steps):
            x = torch.rand(40, 4, generator=gen) * 2 - 1
            noise = torch.randn(40, generator=gen) * (0.1 + x[:, 0].abs())
            yield x, torch.sin(3 * x[:, 1]) + x[:, 2] * x[:, 3] + noise

    def step(self, x, y):
        belief = self.net(x)
        loss = nll(belief, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.note(belief)
        return loss.item()

    def run(self):
        total = 0.0
        for x, y in self.stream():
            total += self.step(x, y)
        return total / self.steps


if __name__ == "__main__":
    runner = Runner(500)
    print("nll", round(runner.run(), 4))
    print(runner.ledger.summary())
