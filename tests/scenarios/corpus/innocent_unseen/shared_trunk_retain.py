# gradwatch-corpus: kind=none
"""Two heads whose gradients are inspected one at a time: the first backward has to keep the trunk's graph."""
import torch
import torch.nn as nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.cls = nn.Linear(128, 4)
        self.reg = nn.Linear(128, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.cls(h), self.reg(h)


def grad_vector(params):
    return torch.cat([p.grad.flatten() for p in params])


torch.manual_seed(0)
model = MultiTask()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
shared = list(model.trunk.parameters())
conflicts = 0
for i in range(200):
    x = torch.randn(64, 30)
    a, b = model(x)
    l1 = nn.functional.cross_entropy(a, x[:, :4].argmax(1))
    l2 = nn.functional.mse_loss(b, x.sum(1, keepdim=True))
    opt.zero_grad()
    l1.backward(retain_graph=True)
    g1 = grad_vector(shared).clone()
    l2.backward()
    g2 = grad_vector(shared) - g1
    conflicts += (g1 @ g2).item() < 0
    opt.step()
    if i % 50 == 0:
        print(i, l1.item(), l2.item(), "conflicts", conflicts)
