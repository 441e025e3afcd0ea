# gradwatch-corpus: kind=none
"""Three tasks on one trunk; task gradients are projected against each other (PCGrad)."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Activations:
    """Mean activation per layer, collected through forward hooks while attached."""

    def __init__(self, module, layers):
        self.values = {}
        self.handles = [
            getattr(module, name).register_forward_hook(self._hook(name)) for name in layers]

    def _hook(self, name):
        def fn(mod, args, out):
            self.values.setdefault(name, []).append(out.detach().abs().mean().item())
        return fn

    def close(self):
        for h in self.handles:
            h.remove()
        return {k: sum(v) / len(v) for k, v in self.values.items()}


class Shared(nn.Module):
    def __init__(self, d=10, width=32):
        super().__init__()
        self.lower = nn.Linear(d, width)
        self.upper = nn.Linear(width, width)
        self.price = nn.Linear(width, 1)
        self.kind = nn.Linear(width, 4)
        self.rank = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.upper(torch.relu(self.lower(x))))
        return self.price(h).squeeze(1), self.kind(h), self.rank(h).squeeze(1)


def listings(n=600, d=10):
    x = torch.randn(n, d)
    price = x[:, :4].sum(1) + 0.3 * x[:, 4] ** 2
    kind = (x[:, 5] > 0).long() * 2 + (x[:, 6] > 0).long()
    rank = torch.sigmoid(x[:, 7] - x[:, 0])
    return x, price, kind, rank


class PCGrad:
    def __init__(self, model, lr):
        self.params = list(model.parameters())
        self.opt = torch.optim.Adam(self.params, lr=lr)
        self.conflicts = 0

    def task_gradients(self, losses):
        flat = []
        for i, loss in enumerate(losses):
            keep = i < len(losses) - 1
            grads = torch.autograd.grad(loss, self.params, retain_graph=keep, allow_unused=True)
            flat.append(torch.cat([
                (torch.zeros_like(p) if g is None else g).flatten()
                for g, p in zip(grads, self.params)]))
        return flat

    def project(self, flat):
        merged = torch.zeros_like(flat[0])
        for g in flat:
            g = g.clone()
            for other in random.sample(flat, len(flat)):
                dot = g @ other
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / other.square().sum() * other
            merged += g
        return merged

    def step(self, losses):
        merged = self.project(self.task_gradients(losses))
        sizes = [p.numel() for p in self.params]
        for p, g in zip(self.params, merged.split(sizes)):
            p.grad = g.view_as(p)
        self.opt.step()


def main(epochs=8, batch=50):
    torch.manual_seed(61)
    random.seed(61)
    data = listings()
    model = Shared()
    solver = PCGrad(model, lr=3e-3)
    for epoch in range(epochs):
        probe = Activations(model, ["lower", "upper"])
        sums = [0.0, 0.0, 0.0]
        for pick in torch.randperm(len(data[0])).split(batch):
            x, price, kind, rank = (t[pick] for t in data)
            p, k, r = model(x)
            losses = [F.mse_loss(p, price), F.cross_entropy(k, kind),
                      F.binary_cross_entropy_with_logits(r, rank)]
            solver.step(losses)
            sums = [s + l.item() for s, l in zip(sums, losses)]
        act = probe.close()
        shown = " ".join(f"{s * batch / len(data[0]):.3f}" for s in sums)
        print(f"epoch {epoch} losses {shown} conflicts {solver.conflicts} act {act['upper']:.3f}")


if __name__ == "__main__":
    main()
