# gradwatch-corpus: kind=none
"""Second-order optimizer with Hutchinson's estimate of the Hessian's diagonal (AdaHessian)."""
import torch
from torch import nn
from torch.optim import Optimizer

torch.set_num_threads(1)
torch.manual_seed(21)


class AdaHessian(Optimizer):
    def __init__(self, params, lr=0.1, betas=(0.9, 0.99), eps=1e-4, every=2):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))
        self.every = every
        self.count = 0

    def everything(self):
        return [p for group in self.param_groups for p in group["params"]]

    @property
    def needs_curvature(self):
        return self.count % self.every == 0

    def curvature(self):
        """Called after backward(create_graph=True); the gradients give their graph back."""
        params = self.everything()
        grads = [p.grad for p in params]
        signs = [torch.randint_like(p, 2) * 2 - 1 for p in params]
        products = torch.autograd.grad(grads, params, signs)
        for p, z, hz in zip(params, signs, products):
            p.grad = p.grad.detach()
            self.state[p]["diagonal"] = (z * hz).detach().abs()

    @torch.no_grad()
    def step(self):
        self.count += 1
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                s = self.state[p]
                if "m" not in s:
                    s["m"], s["v"] = torch.zeros_like(p), torch.zeros_like(p)
                s["m"].lerp_(p.grad, 1 - b1)
                s["v"].lerp_(s["diagonal"] ** 2, 1 - b2)
                m = s["m"] / (1 - b1 ** self.count)
                v = s["v"] / (1 - b2 ** self.count)
                p.addcdiv_(m, v.sqrt() + group["eps"] ** 0.5, value=-group["lr"])


class Spirals:
    def __init__(self, batch):
        self.batch = batch

    def __iter__(self):
        return self

    def __next__(self):
        y = torch.randint(0, 2, (self.batch,))
        r = 0.2 + torch.rand(self.batch)
        angle = 4 * r + 3.1416 * y
        x = torch.stack([r * angle.cos(), r * angle.sin()], 1) + 0.03 * torch.randn(self.batch, 2)
        return x, y


def main(steps=120):
    model = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 12), nn.Tanh(), nn.Linear(12, 2))
    optimizer = AdaHessian(model.parameters(), lr=0.02)
    good = 0.0
    for step, (x, y) in zip(range(steps), Spirals(40)):
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward(create_graph=optimizer.needs_curvature)
        if optimizer.needs_curvature:
            optimizer.curvature()
        optimizer.step()
        good = 0.95 * good + 0.05 * (logits.argmax(1) == y).float().mean().item()
        if step % 30 == 29:
            print(f"step {step + 1:3d} loss {loss.item():.4f} accuracy {good:.3f}")


if __name__ == "__main__":
    main()
