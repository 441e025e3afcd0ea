# gradwatch-corpus: kind=crashed
# holder: out
# first-bad: 24
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(210)


class CalibratedHead(nn.Module):
    """Predicts power and, once enough turbines were seen, reports it in calibrated units."""

    def __init__(self, width, warmup):
        super().__init__()
        self.lin = nn.Linear(width, 1)
        self.warmup = warmup
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))
        self.register_buffer("mu", torch.zeros(()))
        self.register_buffer("var", torch.ones(()))

    def forward(self, h):
        out = self.lin(h).squeeze(-1)
        if not self.training:
            return (out - self.mu) / self.var.sqrt()
        if self.seen >= self.warmup:
            scale = (self.var + 1e-3).sqrt()
            return out.data.sub(self.mu).div(scale)  # <- culprit
        self.seen += 1
        self.mu.lerp_(out.mean().detach(), 0.1)
        self.var.lerp_(out.var().detach(), 0.1)
        return out


class Turbine(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 12), nn.Softplus())
        self.head = CalibratedHead(12, warmup=24)

    def forward(self, scada):
        return self.head(self.body(scada))


def scada(n=40):
    x = torch.rand(n, 4)
    return x, x[:, 0] ** 3 * (1 - 0.3 * x[:, 1])


model = Turbine()
opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
history = []
for minute in range(300):
    x, power = scada()
    error = torch.nn.functional.l1_loss(model(x), power)
    opt.zero_grad()
    error.backward()
    opt.step()
    history.append(error.item())
print(sum(history[-20:]) / 20)
