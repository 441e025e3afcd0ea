# gradwatch-corpus: kind=none
"""Two-task training with projected gradients: one graph, walked once per task."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 20), nn.ReLU())
        self.cls = nn.Linear(20, 4)
        self.reg = nn.Linear(20, 2)

    def forward(self, x):
        z = self.trunk(x)
        return self.cls(z), self.reg(z)


class ProjectedGradients:
    def __init__(self, opt):
        self.opt = opt
        self.params = [p for g in opt.param_groups for p in g["params"]]
        self.conflicts = 0

    def _collect(self, loss, keep):
        self.opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=keep)
        return [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in self.params]

    @staticmethod
    def _dot(a, b):
        return sum((x * y).sum() for x, y in zip(a, b))

    def step(self, losses):
        last = len(losses) - 1
        grads = [self._collect(loss, keep=i < last) for i, loss in enumerate(losses)]
        merged = [torch.zeros_like(p) for p in self.params]
        for i, g in enumerate(grads):
            g = [t.clone() for t in g]
            for j, other in enumerate(grads):
                dot = self._dot(g, other)
                if i != j and dot < 0:
                    self.conflicts += 1
                    scale = dot / (self._dot(other, other) + 1e-12)
                    g = [a - scale * b for a, b in zip(g, other)]
            merged = [m + a for m, a in zip(merged, g)]
        for p, m in zip(self.params, merged):
            p.grad = m
        self.opt.step()


def sample(n, w_cls, w_reg):
    x = torch.randn(n, 12)
    return x, (x @ w_cls).argmax(1), torch.sin(x @ w_reg)


def main():
    torch.manual_seed(0)
    w_cls, w_reg = torch.randn(12, 4), torch.randn(12, 2)
    net = TwoHeads()
    surgeon = ProjectedGradients(torch.optim.Adam(net.parameters(), lr=2e-3))
    for it in range(100):
        x, y, t = sample(32, w_cls, w_reg)
        logits, pred = net(x)
        losses = [F.cross_entropy(logits, y), F.mse_loss(pred, t)]
        surgeon.step(losses)
        if it % 25 == 0:
            print(f"it {it:3d} cls {losses[0].item():.3f} reg {losses[1].item():.3f} conflicts {surgeon.conflicts}")


if __name__ == "__main__":
    main()
