# gradwatch-corpus: kind=none
"""GradNorm-style balancing of three face attributes (age / pose / smile) on synthetic embeddings."""
import torch
torch.set_num_threads(1)
from torch import nn

TASKS = ("age", "pose", "smile")


class Net(nn.Module):
    def __init__(self, d=10, h=16):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.ReLU())
        self.last_shared = nn.Linear(h, h)
        self.heads = nn.ModuleDict({t: nn.Linear(h, 1) for t in TASKS})

    def forward(self, x):
        z = torch.relu(self.last_shared(self.trunk(x)))
        return {t: head(z).squeeze(-1) for t, head in self.heads.items()}


class Balancer:
    def __init__(self, alpha=0.8, lr=0.02):
        self.alpha, self.lr = alpha, lr
        self.w = torch.ones(len(TASKS))
        self.start = None

    def measure(self, losses, shared):
        norms = []
        for w, l in zip(self.w, losses):
            (g,) = torch.autograd.grad(w * l, shared, retain_graph=True)
            norms.append(g.norm())
        return torch.stack(norms)

    def update(self, losses, shared):
        norms = self.measure(losses, shared)
        vals = torch.stack([l.detach() for l in losses])
        if self.start is None:
            self.start = vals
        rate = vals / self.start
        target = norms.mean() * (rate / rate.mean()) ** self.alpha
        self.w = (self.w - self.lr * torch.sign(norms - target)).clamp(min=0.05)
        self.w = self.w * len(TASKS) / self.w.sum()


class Faces:
    def __init__(self, d=10):
        self.m = torch.randn(3, d)

    def batch(self, n=24):
        x = torch.randn(n, self.m.shape[1])
        y = x @ self.m.T
        return x, {"age": 3 * torch.tanh(y[:, 0]), "pose": 0.2 * y[:, 1], "smile": (y[:, 2] > 0).float()}


def main():
    torch.manual_seed(90)
    faces, net, bal = Faces(), Net(), Balancer()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    crit = {"age": nn.MSELoss(), "pose": nn.MSELoss(), "smile": nn.BCEWithLogitsLoss()}
    for it in range(600):
        x, y = faces.batch()
        out = net(x)
        losses = [crit[t](out[t], y[t]) for t in TASKS]
        bal.update(losses, net.last_shared.weight)
        opt.zero_grad()
        for k, l in enumerate(losses):
            (bal.w[k] * l).backward(retain_graph=k < len(TASKS) - 1)
        opt.step()
        if it % 120 == 119:
            print(it + 1, {t: round(l.item(), 3) for t, l in zip(TASKS, losses)}, [round(v, 2) for v in bal.w.tolist()])


main()
