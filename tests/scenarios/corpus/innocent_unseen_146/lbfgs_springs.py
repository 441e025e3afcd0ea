# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)

"""Fit stiffness + damping of many little oscillators measured on the bench, each with LBFGS"""


def simulate(k, c, n=12, dt=0.15):
    x, v = torch.ones(()), torch.zeros(())
    xs = []
    for _ in range(n):
        v = v + dt * (-k * x - c * v)
        x = x + dt * v
        xs.append(x)
    return torch.stack(xs)


class SpringFit:
    def __init__(self, measured):
        self.measured = measured
        self.theta = torch.tensor([0.5, 0.1], requires_grad=True)
        self.opt = torch.optim.LBFGS([self.theta], lr=0.6, max_iter=3, history_size=5)
        self.trace = []
        self.last = None

    def closure(self):
        self.opt.zero_grad()
        self.last = ((simulate(*self.theta) - self.measured) ** 2).sum()
        self.last.backward()
        return self.last

    def run(self, iters):
        for _ in range(iters):
            l = self.opt.step(self.closure)
            self.trace.append(float(l))
        return self.theta.detach().clone()


torch.manual_seed(90)
fits = []
for j in range(40):
    k, c = 0.8 + 0.5 * torch.rand(()), 0.3 * torch.rand(())
    with torch.no_grad():
        y = simulate(k, c) + 0.01 * torch.randn(12)
    f = SpringFit(y)
    est = f.run(11)
    fits.append((k.item(), c.item(), est.tolist(), f.trace[-1]))
    if j % 10 == 0:
        print(j, fits[-1])
