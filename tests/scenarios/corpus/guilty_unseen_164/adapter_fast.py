# gradwatch-corpus: kind=graph-chain
# holder: self.fast | adapter.fast | adapters[user].fast | adapter.fast["w"] | self.fast["w"]
# first-bad: 1
# notice: 15
"""Per-user adapters with learned inner step sizes on top of a frozen feature map."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(8)

FEATURES = nn.Sequential(nn.Linear(6, 16), nn.Tanh())
FEATURES.requires_grad_(False)


class StepSizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_lr = nn.ParameterDict({"w": nn.Parameter(torch.tensor(-3.0)), "b": nn.Parameter(torch.tensor(-3.0))})

    def forward(self, key):
        return self.log_lr[key].exp()


class Adapter:
    def __init__(self, dim=16):
        self.initial = {"w": torch.zeros(1, dim), "b": torch.zeros(1)}
        self.fast = {k: v.clone().requires_grad_() for k, v in self.initial.items()}

    def predict(self, feats):
        return F.linear(feats, self.fast["w"], self.fast["b"])

    def adapt(self, feats, target, sizes):
        inner = F.mse_loss(self.predict(feats), target)
        grads = torch.autograd.grad(inner, list(self.fast.values()), create_graph=True)
        self.fast = {k: v - sizes(k) * g for (k, v), g in zip(self.fast.items(), grads)}  # <- culprit
        return inner.item()


class User:
    def __init__(self, seed):
        gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(6, 1, generator=gen)
        self.gen = gen

    def interactions(self, n):
        x = torch.randn(n, 6, generator=self.gen)
        return FEATURES(x), torch.tanh(x @ self.taste)


class Personaliser:
    def __init__(self, users):
        self.users = users
        self.adapters = {u: Adapter() for u in users}
        self.sizes = StepSizes()
        self.opt = torch.optim.Adam(self.sizes.parameters(), lr=0.02)

    def visit(self, user):
        adapter = self.adapters[user]
        person = self.users[user]
        before = adapter.adapt(*person.interactions(12), self.sizes)
        feats, target = person.interactions(12)
        loss = F.mse_loss(adapter.predict(feats), target)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return before, loss.item()


job = Personaliser({f"u{i}": User(40 + i) for i in range(5)})
for sweep in range(16):
    rows = [job.visit(u) for u in job.users]
    if sweep % 4 == 3:
        mean = torch.tensor(rows).mean(0)
        print(f"sweep {sweep} inner {mean[0]:.4f} outer {mean[1]:.4f} lr {job.sizes('w').item():.4f}")
