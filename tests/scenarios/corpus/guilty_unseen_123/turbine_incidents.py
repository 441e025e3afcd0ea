# gradwatch-corpus: kind=graph-held
# holder: desk.incidents | self.incidents | incidents
# first-bad: 4
# notice: 8
# Wind-turbine power curve; sensor glitches raise inside the objective and the step falls back to a robust loss.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(50)


class GlitchedBatch(ArithmeticError):
    def __init__(self, share):
        super().__init__(f"{share:.0%} of the readings out of range")
        self.share = share


class IncidentDesk:
    def __init__(self):
        self.incidents = []

    def file(self, err):
        self.incidents.append(err)  # <- culprit

    def summary(self):
        shares = [e.share for e in self.incidents]
        return f"{len(shares)} incidents, worst {max(shares, default=0):.2f}"


class PowerCurve(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, 14), nn.Tanh(), nn.Linear(14, 1))

    def forward(self, wind, temp):
        return self.f(torch.stack([wind / 12, temp / 20], -1)).squeeze(-1)


def strict_objective(curve, batch):
    wind, temp, power = batch
    guess = curve(wind, temp)
    bad = (power < -0.5) | (power > 1.6)
    if bad.any():
        raise GlitchedBatch(bad.float().mean().item())
    return (guess - power).square().mean()


def robust_objective(curve, batch):
    wind, temp, power = batch
    return nn.functional.smooth_l1_loss(curve(wind, temp), power.clamp(0, 1.2), beta=0.2)


def scada(n):
    for i in range(n):
        wind = 3 + 15 * torch.rand(20)
        temp = 10 * torch.randn(20)
        power = torch.sigmoid((wind - 9) / 1.5) + 0.03 * torch.randn(20)
        if i % 3 == 0 and i:
            power[:3] += 4.0
        yield wind, temp, power


def train():
    desk = IncidentDesk()
    curve = PowerCurve()
    opt = torch.optim.RMSprop(curve.parameters(), lr=2e-3)
    for i, batch in enumerate(scada(480)):
        try:
            loss = strict_objective(curve, batch)
        except GlitchedBatch as err:
            desk.file(err)
            loss = robust_objective(curve, batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 120 == 119:
            print(i + 1, f"{loss.item():.4f}", desk.summary())


train()
