# gradwatch-corpus: kind=inplace-modified
# holder: gate
# first-bad: 40
# notice: 0
"""Glacier melt: degree-day response times a learned gate on albedo. After the warm-up the debris cover joins in."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(66)


class Melt(nn.Module):
    def __init__(self):
        super().__init__()
        self.response = nn.Linear(3, 8)
        self.albedo = nn.Linear(2, 8)
        self.total = nn.Linear(8, 1)
        self.use_debris = False

    def forward(self, weather, surface, debris):
        gate = torch.sigmoid(self.albedo(surface))
        if self.use_debris:
            gate.mul_(1.0 - 0.5 * debris)  # <- culprit
        return self.total(torch.relu(self.response(weather)) * gate)


def catchment(n=20):
    weather, surface = torch.randn(n, 3), torch.rand(n, 2)
    debris = (torch.rand(n, 1) > 0.7).float()
    melt = weather[:, :1].relu() * (1 - surface[:, :1]) * (1 - 0.5 * debris)
    return weather, surface, debris, melt


def schedule(model, step):
    if step == 40:
        model.use_debris = True


model = Melt()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(300):
    schedule(model, step)
    *inputs, melt = catchment()
    loss = nn.functional.mse_loss(model(*inputs), melt)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item())
