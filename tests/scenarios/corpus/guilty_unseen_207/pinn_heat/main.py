# gradwatch-corpus: kind=graph-held
# holder: self.hard | pool.hard | self.pool.hard
# first-bad: 1
import torch

from physics import HeatEquation, FieldNet
from sampling import CollocationPool


class Solver:
    def __init__(self, steps=420, seed=5):
        torch.manual_seed(seed)
        self.steps = steps
        self.net = FieldNet()
        self.pde = HeatEquation(alpha=0.1)
        self.pool = CollocationPool(seed)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.optim, 0.998)

    def train_step(self, step):
        xt = self.pool.next_batch(48)
        residual = self.pde.residual(self.net, xt)
        x0, u0 = self.pde.initial(24)
        xb = self.pde.boundary(24)
        loss = residual.pow(2).mean() + 5 * (self.net(x0) - u0).pow(2).mean() + self.net(xb).pow(2).mean()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.sched.step()
        self.pool.report(xt, residual)
        return loss.item()

    def run(self):
        for step in range(self.steps):
            value = self.train_step(step)
            if step % 100 == 0:
                print(f"[{step}] loss={value:.5f} hard={len(self.pool.hard)}")


if __name__ == "__main__":
    Solver().run()
