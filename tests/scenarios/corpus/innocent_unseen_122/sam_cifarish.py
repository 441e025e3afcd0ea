# gradwatch-corpus: kind=none
# SAM optimizer (davda54/sam) with a small residual net
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self):
        norm = torch.norm(torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"]]))
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * (group["rho"] / (norm + 1e-12)))
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        self.zero_grad()

    @torch.no_grad()
    def step(self, closure=None):
        closure = torch.enable_grad()(closure)
        self.first_step()
        closure()
        self.second_step()


class ResNet6(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.stem = nn.Conv2d(3, c, 3, padding=1)
        self.res = nn.ModuleList([nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.GroupNorm(2, c), nn.ReLU(),
                                                nn.Conv2d(c, c, 3, padding=1)) for _ in range(2)])
        self.fc = nn.Linear(c, 4)

    def forward(self, x):
        x = F.relu(self.stem(x))
        for r in self.res:
            x = F.relu(x + r(x))
        return self.fc(x.mean((2, 3)))


def shapes(n):
    y = torch.randint(0, 4, (n,))
    x = 0.4 * torch.randn(n, 3, 9, 9)
    for k, c in enumerate(y.tolist()):
        if c == 0:
            x[k, :, 4] += 1
        elif c == 1:
            x[k, :, :, 4] += 1
        elif c == 2:
            x[k, :, range(9), range(9)] += 1
        else:
            x[k, :, 3:6, 3:6] += 1
    return x, y


def main():
    torch.manual_seed(50)
    net = ResNet6()
    optimizer = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.05, momentum=0.9)
    hits = 0
    for it in range(420):
        x, y = shapes(12)

        def closure():
            loss = F.cross_entropy(net(x), y, label_smoothing=0.1)
            loss.backward()
            return loss

        out = net(x)
        loss = F.cross_entropy(out, y, label_smoothing=0.1)
        loss.backward()
        optimizer.step(closure)
        hits += (out.argmax(1) == y).sum().item()
        if it % 84 == 83:
            print(f"{it + 1}: loss {loss.item():.3f} acc {hits / (84 * 12):.3f}")
            hits = 0


if __name__ == "__main__":
    main()
