# gradwatch-corpus: kind=graph-held
# holder: self.energy | probe.energy | self.energy[name] | probe.energy[name] | series | self._watch
# first-bad: 1
# notice: 20
"""Does my GCN oversmooth? Node classification on a block model, with forward hooks that follow the Dirichlet energy of each layer."""
from collections import defaultdict

import torch
from torch import nn
from torch.nn import functional as F


def block_model(n=180, classes=3, p_in=0.10, p_out=0.015, d=24, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % classes
    p = torch.where(y[:, None] == y[None, :], p_in, p_out)
    a = torch.rand(n, n, generator=g).lt(p).triu(1).float()
    a = a + a.t()
    centers = torch.randn(classes, d, generator=g) * 0.6
    x = centers[y] + torch.randn(n, d, generator=g)
    return x, a, y


def normalise(a):
    a = a + torch.eye(len(a))
    s = a.sum(1).rsqrt()
    return s[:, None] * a * s[None, :]


class GCNLayer(nn.Module):
    def __init__(self, d_in, d_out, last=False):
        super().__init__()
        self.lin, self.last = nn.Linear(d_in, d_out), last

    def forward(self, h, a_hat):
        h = a_hat @ self.lin(h)
        return h if self.last else torch.relu(h)


class GCN(nn.Module):
    def __init__(self, d, hidden, classes, depth):
        super().__init__()
        widths = [d] + [hidden] * (depth - 1) + [classes]
        self.layers = nn.ModuleList(GCNLayer(i, o, last=j == depth - 1)
                                    for j, (i, o) in enumerate(zip(widths[:-1], widths[1:])))
        self.drop = nn.Dropout(0.3)

    def forward(self, x, a_hat):
        for layer in self.layers:
            x = layer(self.drop(x), a_hat)
        return x


class SmoothingProbe:
    """Every `every` steps of training: tr(H' L H) / |H|^2, for all layers of one kind."""

    def __init__(self, model, a_hat, kind, every=4):
        self.laplacian = torch.eye(len(a_hat)) - a_hat
        self.every, self.clock = every, 0
        self.energy = defaultdict(list)
        self.handles = [m.register_forward_hook(self._watch(name))
                        for name, m in model.named_modules() if isinstance(m, kind)]

    def _watch(self, name):
        series = self.energy[name]

        def hook(module, args, out):
            if not module.training or self.clock % self.every:
                return
            e = (out * (self.laplacian @ out)).sum() / out.pow(2).sum().clamp_min(1e-9)
            series.append(e)  # <- culprit

        return hook

    def tick(self):
        self.clock += 1

    def table(self):
        return {name: sum(v.item() for v in vs[-5:]) / len(vs[-5:]) for name, vs in self.energy.items()}

    def remove(self):
        for h in self.handles:
            h.remove()


@torch.no_grad()
def accuracy(model, x, a_hat, y, mask):
    model.eval()
    hit = (model(x, a_hat).argmax(1) == y)[mask].float().mean().item()
    model.train()
    return hit


def main(epochs=320):
    torch.manual_seed(0)
    x, a, y = block_model()
    a_hat = normalise(a)
    train = torch.rand(len(y)) < 0.2
    model = GCN(x.shape[1], 32, 3, depth=4)
    probe = SmoothingProbe(model, a_hat, GCNLayer)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for epoch in range(epochs):
        loss = F.cross_entropy(model(x, a_hat)[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
        probe.tick()
        if epoch % 80 == 79:
            row = "  ".join(f"{k} {v:.3f}" for k, v in probe.table().items())
            print(f"epoch {epoch + 1}  loss {loss.item():.3f}  test {accuracy(model, x, a_hat, y, ~train):.3f}  {row}")
    probe.remove()


if __name__ == "__main__":
    main()
