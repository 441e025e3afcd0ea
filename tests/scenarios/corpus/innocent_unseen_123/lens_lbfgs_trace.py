# gradwatch-corpus: kind=none
# Lens design: curvatures by L-BFGS against random ray bundles; the closure remembers the last few merits.
from collections import deque

import torch

torch.set_num_threads(1)
torch.manual_seed(50)


class Merit:
    def __init__(self, curv, glass):
        self.curv, self.glass = curv, glass
        self.recent = deque(maxlen=10)
        self.calls = 0

    def trace(self, height):
        angle = torch.zeros_like(height)
        for c, n in zip(self.curv, self.glass):
            angle = angle - height * c * (n - 1) * (1 + 0.1 * height**2 * c**2)
            height = height + 0.2 * angle
        return height + 2.0 * angle

    def bundle(self, rays):
        def closure():
            self.curv.grad = None
            spot = self.trace(rays).square().mean()
            merit = spot + 1e-3 * self.curv.square().sum()
            merit.backward()
            self.recent.append(merit)
            self.calls += 1
            return merit

        return closure


def main():
    curv = torch.nn.Parameter(torch.tensor([0.3, -0.1, 0.2]))
    merit = Merit(curv, (1.5, 1.6, 1.5))
    solver = torch.optim.LBFGS([curv], lr=0.1, max_iter=3, history_size=6)
    for i in range(500):
        solver.step(merit.bundle(torch.empty(25).uniform_(-0.8, 0.8)))
        if i % 100 == 99:
            spread = torch.stack(list(merit.recent)).detach()
            print(i + 1, merit.calls, f"{spread.mean().item():.5f}")


main()
