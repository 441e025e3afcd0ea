# gradwatch-corpus: kind=graph-held
# holder: opt.slow | self.slow
# first-bad: 5
# notice: 8
"""A Lookahead wrapper round any torch optimizer, on a wine-quality like ordinal regression."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(31)


class Lookahead(torch.optim.Optimizer):
    def __init__(self, inner, k=5, alpha=0.5):
        self.inner = inner
        self.k, self.alpha, self.calls = k, alpha, 0
        self.slow = [[p.clone().detach() for p in g["params"]] for g in inner.param_groups]
        self.param_groups = inner.param_groups
        self.state = inner.state
        self.defaults = inner.defaults

    def zero_grad(self, set_to_none=True):
        self.inner.zero_grad(set_to_none)

    def step(self, closure=None):
        out = self.inner.step(closure)
        self.calls += 1
        if self.calls % self.k == 0:
            for group, slow in zip(self.inner.param_groups, self.slow):
                for j, fast in enumerate(group["params"]):
                    slow[j] = slow[j] + self.alpha * (fast - slow[j])  # <- culprit
                    fast.data.copy_(slow[j])
        return out


class Ordinal(nn.Module):
    def __init__(self, feats=7, grades=4):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(feats, 10), nn.ELU(), nn.Linear(10, 1))
        self.cuts = nn.Parameter(torch.linspace(-1, 1, grades - 1))

    def forward(self, x):
        return self.score(x) - self.cuts


def wine(n=240):
    x = torch.randn(n, 7)
    latent = x[:, 0] - 0.6 * x[:, 3] + 0.3 * x[:, 5] * x[:, 1]
    grade = torch.bucketize(latent, torch.tensor([-0.8, 0.0, 0.8]))
    return x, (grade[:, None] > torch.arange(3)).float()


x, y = wine()
model = Ordinal()
opt = Lookahead(torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9))
for epoch in range(50):
    for idx in torch.randperm(len(x)).split(24):
        opt.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(x[idx]), y[idx])
        loss.backward()
        opt.step()
    if epoch % 10 == 9:
        print(epoch + 1, round(loss.item(), 4))
