# gradwatch-corpus: kind=graph-held
# holder: p.grad | student.w1.grad | student.b1.grad | student.w2.grad
# first-bad: 1
# notice: 8
"""Meta-initialisation of thermistor calibrations: each device gets one adapted copy."""
import torch
from torch import nn

torch.set_num_threads(1)


class Student(nn.Module):
    def __init__(self, seed_weights=None):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(1, 12) * 0.5)
        self.b1 = nn.Parameter(torch.randn(12) * 0.5)
        self.w2 = nn.Parameter(torch.randn(12, 1) * 0.3)
        if seed_weights is not None:
            for p, s in zip(self.parameters(), seed_weights):
                p.data.copy_(s)

    def forward(self, x, params=None):
        w1, b1, w2 = params or (self.w1, self.b1, self.w2)
        return torch.tanh(x @ w1 + b1) @ w2


def device(gen):
    gain, bias = torch.rand(2, generator=gen) * 2 + 0.5
    def read(n):
        t = torch.rand(n, 1, generator=gen) * 4 - 2
        return t, gain * torch.sin(t + bias)
    return read


def adapt(student, support, rate):
    x, y = support
    inner = (student(x) - y).square().mean()
    inner.backward(create_graph=True)  # <- culprit
    return [p - rate * p.grad for p in student.parameters()]


class MetaTrainer:
    def __init__(self, lr=1e-2):
        self.slow = Student()
        self.opt = torch.optim.SGD(self.slow.parameters(), lr=lr, momentum=0.8)

    def episode(self, read):
        student = Student([p.detach() for p in self.slow.parameters()])
        fast = adapt(student, read(8), rate=0.1)
        xq, yq = read(8)
        query = (student(xq, fast) - yq).square().mean()
        grads = torch.autograd.grad(query, list(student.parameters()))
        self.opt.zero_grad()
        for p, g in zip(self.slow.parameters(), grads):
            p.grad = g.clamp(-1, 1)
        self.opt.step()
        return query.item()


if __name__ == "__main__":
    import warnings
    warnings.filterwarnings("ignore", message="Using backward")
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    meta = MetaTrainer()
    log = [meta.episode(device(gen)) for _ in range(400)]
    print(sum(log[:50]) / 50, sum(log[-50:]) / 50)
