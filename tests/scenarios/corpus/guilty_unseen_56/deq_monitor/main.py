# gradwatch-corpus: kind=graph-held
# holder: self.stats["final"] | self.stats["first"] | self.stats[key] | self.stats | solver.stats | solver.stats["final"] | solver.stats["first"] | model.solver.stats | model.solver.stats["final"] | model.solver.stats["first"] | self.solver.stats | self.solver.stats["final"] | self.solver.stats["first"]
# first-bad: 1
import torch
from torch import nn

from anderson import Anderson


class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.u = nn.Linear(dim, dim)
        self.w = nn.Parameter(torch.randn(dim, dim) * 0.3 / dim**0.5)

    def forward(self, z, x):
        return torch.tanh(z @ self.w.T + self.u(x))


class ImplicitClassifier(nn.Module):
    def __init__(self, cin, dim, classes, solver):
        super().__init__()
        self.enc = nn.Linear(cin, dim)
        self.layer = Layer(dim)
        self.dec = nn.Linear(dim, classes)
        self.solver = solver

    def forward(self, x):
        h = self.enc(x)
        z = self.solver.solve(lambda z: self.layer(z, h), torch.zeros_like(h))
        return self.dec(z)


def xor_blobs(n, d=6):
    x = torch.randn(n, d)
    return x, ((x[:, 0] > 0) ^ (x[:, 1] > 0)).long() + 2 * (x[:, 2] > 0).long()


def main(iters=120):
    torch.manual_seed(6)
    torch.set_num_threads(1)
    solver = Anderson()
    model = ImplicitClassifier(6, 24, 4, solver)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    ce = nn.CrossEntropyLoss()
    for it in range(iters):
        x, y = xor_blobs(64)
        logits = model(x)
        loss = ce(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            acc = (logits.argmax(-1) == y).float().mean().item()
            print(it, round(loss.item(), 4), round(acc, 3), solver.report())


if __name__ == "__main__":
    main()
