# gradwatch-corpus: kind=none
"""Neural solution of y'' + y = 0 by L-BFGS on resampled collocation points."""
import torch

torch.set_num_threads(1)
torch.manual_seed(12)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(1, 12)
        self.b = torch.nn.Linear(12, 1)

    def forward(self, t):
        return t + t ** 2 * self.b(torch.tanh(self.a(t)))


class Solver:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=3, history_size=5)
        self.best = float("inf")

    def residual(self, t):
        y = self.net(t)
        (dy,) = torch.autograd.grad(y.sum(), t, create_graph=True)
        (d2y,) = torch.autograd.grad(dy.sum(), t, create_graph=True)
        return (d2y + y).pow(2).mean()

    def sweep(self):
        t = (3.0 * torch.rand(24, 1)).requires_grad_(True)

        def closure():
            self.opt.zero_grad()
            loss = self.residual(t)
            loss.backward()
            return loss

        value = self.opt.step(closure)
        self.best = min(self.best, value.item())
        return value


solver = Solver(Net())
for k in range(420):
    last = solver.sweep()
    if k % 105 == 0:
        print(k, f"{last.item():.6f}", f"best {solver.best:.6f}")
