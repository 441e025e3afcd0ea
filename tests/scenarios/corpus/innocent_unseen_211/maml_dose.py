# gradwatch-corpus: kind=none
"""Few-shot dose-response curves: inner updates are unrolled, one meta step per batch of tasks."""
import torch
from torch import nn
from torch.func import functional_call


class Curve(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


class Task:
    def __init__(self, g):
        self.top = 0.5 + torch.rand(1, generator=g)
        self.mid = 2 * torch.rand(1, generator=g) - 1
        self.slope = 1 + 3 * torch.rand(1, generator=g)
        self.g = g

    def draw(self, n):
        x = 4 * torch.rand(n, 1, generator=self.g) - 2
        return x, self.top * torch.sigmoid(self.slope * (x - self.mid)) + 0.02 * torch.randn(n, 1, generator=self.g)


class MetaLearner:
    def __init__(self, model, inner_steps=3):
        self.model, self.inner_steps = model, inner_steps
        self.rates = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(0.1)) for n, _ in model.named_parameters()})
        self.opt = torch.optim.Adam([*model.parameters(), *self.rates.parameters()], lr=2e-3)
        self.last_fast = None

    def adapt(self, x, y, create_graph=True):
        fast = dict(self.model.named_parameters())
        path = []
        for _ in range(self.inner_steps):
            loss = (functional_call(self.model, fast, (x,)) - y).pow(2).mean()
            grads = torch.autograd.grad(loss, fast.values(), create_graph=create_graph)
            fast = {n: p - self.rates[n.replace(".", "_")] * g for (n, p), g in zip(fast.items(), grads)}
            path.append(loss)
        return fast, path

    def meta_step(self, tasks):
        total, before = 0.0, []
        for t in tasks:
            fast, path = self.adapt(*t.draw(6))
            xq, yq = t.draw(12)
            total = total + (functional_call(self.model, fast, (xq,)) - yq).pow(2).mean()
            before.append(path[0].item())
        total = total / len(tasks)
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.last_fast = {n: p.detach().clone() for n, p in fast.items()}
        return sum(before) / len(before), total.item()


def main():
    torch.manual_seed(13)
    g = torch.Generator().manual_seed(13)
    meta = MetaLearner(Curve())
    records = []
    for it in range(80):
        records.append(meta.meta_step([Task(g) for _ in range(4)]))
        if it % 20 == 19:
            pre, post = (sum(c) / 20 for c in zip(*records[-20:]))
            drift = sum((meta.last_fast[n] - p).norm().item() for n, p in meta.model.named_parameters())
            print(it + 1, round(pre, 4), round(post, 4), round(drift, 3))


if __name__ == "__main__":
    main()
