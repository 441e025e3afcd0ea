# gradwatch-corpus: kind=none
import torch
from torch import nn


class SAM(torch.optim.Optimizer):
    """Sharpness-aware minimisation (after davda54/sam)."""

    def __init__(self, params, base_optimizer, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base_optimizer = base_optimizer(self.param_groups, **kw)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * (g["rho"] / (norm + 1e-12)))
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        self.zero_grad()

    @torch.no_grad()
    def step(self, closure):
        closure = torch.enable_grad()(closure)
        self.first_step()
        closure()
        self.second_step()


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(30, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 3))
optimizer = SAM(net.parameters(), torch.optim.SGD, lr=0.05, momentum=0.9)
for i in range(180):
    x = torch.randn(64, 30)
    y = x[:, :3].argmax(1)

    def closure():
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        return loss

    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step(closure)
    if i % 45 == 0:
        print(i, loss.item())
