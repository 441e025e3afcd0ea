# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from torch import nn

HEADS = {}


def head(name):
    def wrap(fn):
        HEADS[name] = fn
        return fn
    return wrap


@head("hardness")
def hardness_loss(out, batch):
    return F.mse_loss(out.squeeze(-1), batch["hardness"])


@head("kind")
def kind_loss(out, batch):
    return F.cross_entropy(out, batch["kind"])


SIZES = {"hardness": 1, "kind": 5}


class SpectraNet(nn.Module):
    def __init__(self, bands=40, width=32):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(bands, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({k: nn.Linear(width, n) for k, n in SIZES.items()})

    def forward(self, x):
        z = self.shared(x)
        return {k: h(z) for k, h in self.heads.items()}


class GradBalancer:
    """Weights from a running norm of each task's gradient on the last shared layer."""

    def __init__(self, weight, beta=0.9):
        self.weight, self.beta = weight, beta
        self.norms = {}

    def weigh(self, losses):
        for name, loss in losses.items():
            (g,) = torch.autograd.grad(loss, [self.weight], retain_graph=True)
            old = self.norms.get(name, g.norm())
            self.norms[name] = self.beta * old + (1 - self.beta) * g.norm()
        mean = sum(self.norms.values()) / len(self.norms)
        return sum(losses[k] * (mean / (n + 1e-8)) for k, n in self.norms.items())


class Spectra:
    def __init__(self, seed=0, bands=40):
        self.g = torch.Generator().manual_seed(seed)
        self.sig = torch.randn(5, bands, generator=self.g)
        self.hard = torch.tensor([1.0, 3.0, 5.0, 6.5, 9.0])

    def batch(self, n=48):
        k = torch.randint(5, (n,), generator=self.g)
        x = self.sig[k] + torch.randn(n, self.sig.shape[1], generator=self.g)
        return {"x": x, "kind": k, "hardness": self.hard[k] + 0.2 * torch.randn(n, generator=self.g)}


def main(steps=120):
    torch.manual_seed(4)
    net, data = SpectraNet(), Spectra()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    balancer = GradBalancer(net.shared[2].weight)
    history = {k: [] for k in HEADS}
    for step in range(1, steps + 1):
        batch = data.batch()
        out = net(batch["x"])
        losses = {k: fn(out[k], batch) for k, fn in HEADS.items()}
        total = balancer.weigh(losses)
        opt.zero_grad()
        total.backward()
        opt.step()
        for k, v in losses.items():
            history[k].append(v.detach())
        if step % 30 == 0:
            print(step, {k: round(torch.stack(v[-30:]).mean().item(), 4) for k, v in history.items()})


if __name__ == "__main__":
    main()
