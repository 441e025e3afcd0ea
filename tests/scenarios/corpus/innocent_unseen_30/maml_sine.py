# gradwatch-corpus: kind=none
"""Second-order MAML on sine waves with learned per-tensor inner step sizes."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Settings:
    meta_iters: int = 200
    tasks: int = 3
    shots: int = 8
    inner_steps: int = 2
    outer_lr: float = 2e-3
    width: int = 24


def init_params(width):
    def w(o, i):
        return (torch.randn(o, i) / i ** 0.5).requires_grad_(True)

    def b(o):
        return torch.zeros(o, requires_grad=True)

    return [w(width, 1), b(width), w(width, width), b(width), w(1, width), b(1)]


def net(x, params):
    w1, b1, w2, b2, w3, b3 = params
    h = torch.tanh(F.linear(x, w1, b1))
    h = torch.tanh(F.linear(h, w2, b2))
    return F.linear(h, w3, b3)


class SineTask:
    def __init__(self):
        self.amp = 0.5 + 2.0 * torch.rand(())
        self.phase = 3.14 * torch.rand(())

    def draw(self, n):
        x = 10 * torch.rand(n, 1) - 5
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner:
    def __init__(self, s: Settings):
        self.s = s
        self.params = init_params(s.width)
        self.log_lr = [torch.tensor(-3.5, requires_grad=True) for _ in self.params]
        self.opt = torch.optim.Adam(self.params + self.log_lr, lr=s.outer_lr)
        self.fast = None

    def adapt(self, x, y):
        self.fast = self.params
        for _ in range(self.s.inner_steps):
            loss = F.mse_loss(net(x, self.fast), y)
            grads = torch.autograd.grad(loss, self.fast, create_graph=True)
            self.fast = [p - lr.exp() * g for p, lr, g in zip(self.fast, self.log_lr, grads)]
        return self.fast

    def meta_step(self):
        losses = []
        for _ in range(self.s.tasks):
            task = SineTask()
            fast = self.adapt(*task.draw(self.s.shots))
            xq, yq = task.draw(self.s.shots)
            losses.append(F.mse_loss(net(xq, fast), yq))
        meta = torch.stack(losses).mean()
        self.opt.zero_grad()
        meta.backward()
        self.opt.step()
        return meta.item()


def main():
    torch.manual_seed(123)
    s = Settings()
    learner = MetaLearner(s)
    avg = None
    for i in range(s.meta_iters):
        v = learner.meta_step()
        avg = v if avg is None else 0.95 * avg + 0.05 * v
        if (i + 1) % 50 == 0:
            rates = [round(l.exp().item(), 4) for l in learner.log_lr]
            print(f"meta {i + 1}: query mse~{avg:.3f} rates {rates}")


if __name__ == "__main__":
    main()
