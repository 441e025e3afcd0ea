# gradwatch-corpus: kind=none
"""Surrogate of a calorimeter response with separate gradients per objective.

The gradients of the resolution and the bias term are taken from one forward
pass and combined so that they don't cancel each other (projected gradients).
"""
import torch
from torch import nn

LAYERS = 6


class Shower:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self, n):
        energy = 10.0 + 90.0 * torch.rand(n, 1, generator=self.gen)
        depth = torch.linspace(0.1, 1.0, LAYERS)
        peak = 0.25 + 0.08 * torch.log(energy / 10.0)
        profile = torch.exp(-((depth - peak) ** 2) / 0.05)
        deposit = energy * profile / profile.sum(dim=1, keepdim=True)
        smear = 1.0 + 0.1 * torch.randn(n, LAYERS, generator=self.gen)
        return 0.8 * deposit * smear, energy


class Calibration(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.ones(LAYERS))
        self.correction = nn.Sequential(nn.Linear(LAYERS, 16), nn.SiLU(), nn.Linear(16, 1))

    def forward(self, deposit):
        linear = deposit @ self.weights
        fraction = deposit / deposit.sum(dim=1, keepdim=True)
        return linear * (1.0 + 0.1 * self.correction(fraction).squeeze(-1))


class ProjectedDescent:
    def __init__(self, model, lr):
        self.params = list(model.parameters())
        self.opt = torch.optim.Adam(self.params, lr=lr)
        self.conflicts = 0

    def flat(self, loss, keep):
        grads = torch.autograd.grad(loss, self.params, retain_graph=keep, allow_unused=True)
        parts = []
        for p, g in zip(self.params, grads):
            parts.append(torch.zeros(p.numel()) if g is None else g.reshape(-1))
        return torch.cat(parts)

    def step(self, first, second):
        a = self.flat(first, keep=True)
        b = self.flat(second, keep=False)
        dot = torch.dot(a, b)
        if dot < 0:
            self.conflicts += 1
            a_new = a - dot / b.dot(b) * b
            b = b - dot / a.dot(a) * a
            a = a_new
        total = a + b
        offset = 0
        for p in self.params:
            n = p.numel()
            p.grad = total[offset:offset + n].view_as(p).clone()
            offset += n
        self.opt.step()


def main():
    torch.manual_seed(125)
    showers = Shower(17)
    model = Calibration()
    descent = ProjectedDescent(model, lr=5e-3)
    history = {"resolution": [], "bias": []}
    for it in range(160):
        deposit, energy = showers.sample(64)
        ratio = model(deposit) / energy.squeeze(-1)
        resolution = ratio.var()
        bias = (ratio.mean() - 1.0) ** 2
        descent.step(resolution, bias)
        history["resolution"].append(resolution.item() ** 0.5)
        history["bias"].append(bias.item() ** 0.5)
        if it % 40 == 0:
            print(f"{it:4d} res {history['resolution'][-1]:.4f} bias {history['bias'][-1]:.4f}")
    print("conflicts", descent.conflicts)
    print("weights", [round(w, 3) for w in model.weights.tolist()])


if __name__ == "__main__":
    main()
