# gradwatch-corpus: kind=none
# about: backward(create_graph=True) makes a cycle of parameter, .grad and graph; Hutchinson's
# about: product uses it, and zero_grad() breaks it before the next iteration
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class AdaHessian(torch.optim.Optimizer):
    def __init__(self, params, lr=0.05, betas=(0.9, 0.99), eps=1e-4):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

    def trace(self):
        params = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        grads = [p.grad for p in params]
        zs = [torch.randint_like(p, 2) * 2 - 1 for p in params]
        hzs = torch.autograd.grad(grads, params, grad_outputs=zs)
        return {p: (h * z).abs() for p, h, z in zip(params, hzs, zs)}

    def step(self, closure=None):
        diagonal = self.trace()
        with torch.no_grad():
            for group in self.param_groups:
                b1, b2 = group["betas"]
                for p in group["params"]:
                    s = self.state[p]
                    if not s:
                        s["m"], s["h"], s["t"] = torch.zeros_like(p), torch.zeros_like(p), 0
                    s["t"] += 1
                    s["m"].mul_(b1).add_(p.grad.detach(), alpha=1 - b1)
                    s["h"].mul_(b2).addcmul_(diagonal[p], diagonal[p], value=1 - b2)
                    scale = (s["h"] / (1 - b2 ** s["t"])).sqrt().add_(group["eps"])
                    p.addcdiv_(s["m"] / (1 - b1 ** s["t"]), scale, value=-group["lr"])


if __name__ == "__main__":
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    model = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 4))
    optimizer = AdaHessian(model.parameters())
    for step in range(ITERATIONS):
        x, y = next(stream)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward(create_graph=True)
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f}")
