# gradwatch-corpus: kind=none
# Track the top Hessian eigenvalue (power iteration) while training, as in the PyHessian paper.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parameters_to_vector

torch.manual_seed(27)
torch.set_num_threads(1)


def flat(ts):
    return torch.cat([t.reshape(-1) for t in ts])


class SharpnessProbe:
    def __init__(self, model, x, y, iters=8):
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.model, self.x, self.y, self.iters = model, x, y, iters
        self.v = F.normalize(torch.randn(sum(p.numel() for p in self.params)), dim=0)
        self.curve = []

    def __call__(self, step):
        loss = F.cross_entropy(self.model(self.x), self.y)
        g = flat(torch.autograd.grad(loss, self.params, create_graph=True))
        v, eig = self.v, 0.0
        for _ in range(self.iters):
            hv = flat(torch.autograd.grad(g @ v, self.params, retain_graph=True))
            eig = (v @ hv).item()
            v = hv / (hv.norm() + 1e-12)
        self.v = v
        self.curve.append((step, eig))
        return eig


def data(n, d=12, c=4):
    W = torch.randn(d, c)
    x = torch.randn(n, d)
    return x, (torch.tanh(x) @ W).argmax(1)


def main():
    x, y = data(512)
    model = nn.Sequential(nn.Linear(12, 32), nn.Tanh(), nn.Linear(32, 4))
    opt = torch.optim.SGD(model.parameters(), lr=0.4)
    probe = SharpnessProbe(model, x[:128], y[:128])
    start = parameters_to_vector(model.parameters()).detach()
    for step in range(160):
        b = torch.randint(0, 512, (64,))
        loss = F.cross_entropy(model(x[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            eig = probe(step)
            dist = (parameters_to_vector(model.parameters()).detach() - start).norm().item()
            print(f"step {step:3d} loss {loss.item():.3f} lambda_max {eig:.3f} moved {dist:.2f}")
    print("edge of stability at 2/lr =", 2 / 0.4, "max seen", max(e for _, e in probe.curve))


if __name__ == "__main__":
    main()
