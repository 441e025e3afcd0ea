# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn


class SAM:
    def __init__(self, base, rho=0.05):
        self.base, self.rho = base, rho
        self.moved = []

    @property
    def params(self):
        return [p for g in self.base.param_groups for p in g["params"] if p.grad is not None]

    @torch.no_grad()
    def climb(self):
        scale = self.rho / (torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12)
        for p in self.params:
            e = p.grad * scale
            p.add_(e)
            self.moved.append((p, e))
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        while self.moved:
            p, e = self.moved.pop()
            p.sub_(e)
        self.base.step()
        self.base.zero_grad()


class Tagger(nn.Module):
    def __init__(self, mel=16, tags=5):
        super().__init__()
        self.a = nn.Conv1d(mel, 24, 3, padding=1)
        self.att = nn.Linear(24, tags)
        self.val = nn.Linear(24, tags)

    def forward(self, x):
        h = torch.relu(self.a(x)).transpose(1, 2)
        return (self.att(h).softmax(1) * self.val(h)).sum(1)


def clips(n):
    tags = (torch.rand(n, 5) < 0.3).float()
    spec = 0.5 * torch.randn(n, 16, 20)
    for k in range(5):
        at = int(torch.randint(0, 17, ()))
        spec[:, 3 * k:3 * k + 2, at:at + 3] += 2 * tags[:, k, None, None]
    return spec, tags


torch.manual_seed(15)
net = Tagger()
sam = SAM(torch.optim.SGD(net.parameters(), 0.05, momentum=0.9))
bce = nn.BCEWithLogitsLoss()
sharpness = []
for it in range(500):
    x, y = clips(12)
    first = bce(net(x), y)
    first.backward()
    sam.climb()
    second = bce(net(x), y)
    second.backward()
    sam.descend()
    sharpness.append((second - first).detach())
    if len(sharpness) == 50:
        print(it, torch.stack(sharpness).mean().item(), first.item())
        sharpness = []
