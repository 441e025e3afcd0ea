# gradwatch-corpus: kind=none
# about: MAML with torch.func: per-task gradients by vmap(grad(functional_call)), an outer Adam
import torch
import torch.nn as nn
from parts.pace import ITERATIONS
from torch.func import functional_call, grad, vmap


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


def batch_of_tasks(n=8, k=10):
    amplitude = torch.rand(n, 1, 1) * 2 + 0.5
    phase = torch.rand(n, 1, 1) * torch.pi
    x = torch.rand(n, 2 * k, 1) * 10 - 5
    y = amplitude * torch.sin(x + phase)
    return x[:, :k], y[:, :k], x[:, k:], y[:, k:]


def main():
    torch.manual_seed(0)
    model = Regressor()
    params = dict(model.named_parameters())
    opt = torch.optim.Adam(params.values(), lr=2e-3)

    def loss_of(p, x, y):
        return nn.functional.mse_loss(functional_call(model, p, (x,)), y)

    def query_loss(x1, y1, x2, y2):
        p = params
        for _ in range(2):
            g = grad(loss_of)(p, x1, y1)
            p = {name: p[name] - 0.02 * g[name] for name in p}
        return loss_of(p, x2, y2)

    for it in range(ITERATIONS // 3):
        loss = vmap(query_loss)(*batch_of_tasks()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"{it}: {loss.item():.6f}")


if __name__ == "__main__":
    main()
