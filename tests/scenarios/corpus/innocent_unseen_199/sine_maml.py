# gradwatch-corpus: kind=none
"""Second-order meta-learning on sinusoids; query losses of all tasks and inner steps are summed."""
import math

import torch
import torch.nn.functional as F

SHAPES = [(1, 24), (24,), (24, 24), (24,), (24, 1), (1,)]


def init(gen):
    ps = []
    for s in SHAPES:
        scale = math.sqrt(1.0 / s[0]) if len(s) == 2 else 0.0
        ps.append((torch.randn(s, generator=gen) * scale).requires_grad_())
    return ps


def net(ps, x):
    h = torch.tanh(x @ ps[0] + ps[1])
    h = torch.tanh(h @ ps[2] + ps[3])
    return h @ ps[4] + ps[5]


class SineTask:
    def __init__(self, gen):
        self.amp = 0.5 + 2 * torch.rand(1, generator=gen)
        self.phase = math.pi * torch.rand(1, generator=gen)
        self.gen = gen

    def draw(self, n):
        x = 6 * torch.rand(n, 1, generator=self.gen) - 3
        return x, self.amp * torch.sin(x + self.phase)


class Meta:
    def __init__(self, params, inner=3):
        self.params = params
        self.log_lrs = torch.full((inner, len(params)), math.log(0.02), requires_grad=True)
        self.adapted = {}
        self.step_weights = torch.softmax(torch.arange(inner).float(), 0)

    def task_loss(self, i, task):
        fast = list(self.params)
        xs, ys = task.draw(10)
        xq, yq = task.draw(20)
        total = 0
        for k, weight in enumerate(self.step_weights):
            inner = F.mse_loss(net(fast, xs), ys)
            grads = torch.autograd.grad(inner, fast, create_graph=True)
            fast = [p - lr.exp() * g for p, lr, g in zip(fast, self.log_lrs[k], grads)]
            total = total + weight * F.mse_loss(net(fast, xq), yq)
        self.adapted[i] = fast
        return total

    def drift(self):
        with torch.no_grad():
            return [sum((a - p).square().sum() for a, p in zip(f, self.params)).sqrt().item()
                    for f in self.adapted.values()]


def main():
    gen = torch.Generator().manual_seed(40)
    meta = Meta(init(gen))
    opt = torch.optim.Adam([{"params": meta.params, "lr": 2e-3}, {"params": [meta.log_lrs], "lr": 5e-3}])
    curve = []
    for it in range(420):
        loss = sum(meta.task_loss(i, SineTask(gen)) for i in range(3)) / 3
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve.append(loss.detach())
        if it % 70 == 69:
            print(it + 1, torch.stack(curve[-70:]).mean().item(), [round(d, 3) for d in meta.drift()])


if __name__ == "__main__":
    main()
