# gradwatch-corpus: kind=none
"""Length-of-stay classifier trained with DP-SGD; per-sample gradients by torch.func."""
import math

import torch
from torch import nn
from torch.func import functional_call, grad_and_value, vmap

CLIP, NOISE, LR = 1.0, 0.6, 0.25
BATCH, STEPS = 32, 350


def patients(n, g):
    x = torch.randn(n, 10, generator=g)
    score = x[:, 0] * 0.8 - x[:, 3] * x[:, 1] * 0.6 + 0.4 * x[:, 7]
    y = torch.bucketize(score + 0.3 * torch.randn(n, generator=g), torch.tensor([-0.5, 0.6]))
    return x, y


class PerSample:
    """Turns a module and a loss into a vectorised per-sample gradient function."""

    def __init__(self, model, loss_fn):
        def single(params, x, y):
            out = functional_call(model, params, (x.unsqueeze(0),))
            return loss_fn(out, y.unsqueeze(0))
        self.fn = vmap(grad_and_value(single), in_dims=(None, 0, 0))

    def __call__(self, params, x, y):
        return self.fn(params, x, y)


class DPOptimizer:
    def __init__(self, model, base, clip, noise, generator):
        self.model, self.base = model, base
        self.clip, self.noise, self.g = clip, noise, generator
        self.clipped = []

    def step(self, grads):
        flat = torch.cat([v.flatten(1) for v in grads.values()], 1)
        norm = flat.norm(dim=1)
        factor = (self.clip / (norm + 1e-6)).clamp(max=1.0)
        self.clipped.append((norm > self.clip).float().mean().item())
        n = len(norm)
        for name, p in self.model.named_parameters():
            total = torch.einsum("n,n...->...", factor, grads[name])
            total = total + self.noise * self.clip * torch.randn(p.shape, generator=self.g)
            p.grad = total / n
        self.base.step()
        self.base.zero_grad()


def spent_epsilon(steps, rate, noise, delta=1e-4):
    """Crude strong-composition style estimate for the report."""
    return rate * math.sqrt(2 * steps * math.log(1 / delta)) / noise


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(99)
    train_x, train_y = patients(1500, g)
    test_x, test_y = patients(400, g)
    model = nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 3))
    per_sample = PerSample(model, nn.functional.cross_entropy)
    opt = DPOptimizer(model, torch.optim.SGD(model.parameters(), lr=LR, momentum=0.5), CLIP, NOISE, g)
    losses = []
    for step in range(STEPS):
        idx = torch.randint(0, len(train_x), (BATCH,), generator=g)
        params = {k: p.detach() for k, p in model.named_parameters()}
        grads, loss = per_sample(params, train_x[idx], train_y[idx])
        opt.step(grads)
        losses.append(loss.mean())
        if (step + 1) % 70 == 0:
            with torch.no_grad():
                acc = (model(test_x).argmax(1) == test_y).float().mean().item()
            eps = spent_epsilon(step + 1, BATCH / len(train_x), NOISE)
            recent = torch.stack(losses[-70:]).mean().item()
            print(f"{step + 1:4d} loss {recent:.4f} acc {acc:.3f} "
                  f"clipped {sum(opt.clipped[-70:]) / 70:.2f} eps~{eps:.2f}")


if __name__ == "__main__":
    main()
