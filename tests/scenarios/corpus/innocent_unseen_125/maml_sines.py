# gradwatch-corpus: kind=none
import torch
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(28)


class Sine(torch.nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.a, self.b = torch.nn.Linear(1, w), torch.nn.Linear(w, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def tasks(k):
    for _ in range(k):
        A, ph = 0.5 + 2 * torch.rand(()), 3 * torch.rand(())
        xs = torch.rand(2, 10, 1) * 6 - 3
        yield xs, A * torch.sin(xs + ph)


def adapt(net, x, y, steps=2, lr=0.02):
    fast = dict(net.named_parameters())
    for _ in range(steps):
        inner = (functional_call(net, fast, (x,)) - y).pow(2).mean()
        gs = torch.autograd.grad(inner, tuple(fast.values()), create_graph=True)
        fast = {n: p - lr * g for (n, p), g in zip(fast.items(), gs)}
    return fast


net = Sine()
meta = torch.optim.Adam(net.parameters(), 2e-3)
for outer in range(400):
    outer_losses = []
    for xs, ys in tasks(3):
        fast = adapt(net, xs[0], ys[0])
        outer_losses.append((functional_call(net, fast, (xs[1],)) - ys[1]).pow(2).mean())
    obj = torch.stack(outer_losses).mean()
    meta.zero_grad()
    obj.backward()
    meta.step()
    if outer % 100 == 0:
        print(outer, f"{obj.item():.3f}")
