# gradwatch-corpus: kind=none
# Neural closure for a 1-D reaction-diffusion solver; loss terms are totalled over a
# reporting window of 25 steps.
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(55)
NX, WINDOW, STEPS = 40, 25, 400


class Totals:
    def __init__(self):
        self.reset()

    def reset(self):
        self.terms = dict(data=0.0, mass=0.0, smooth=0.0)
        self.n = 0

    def add(self, **kw):
        for name, value in kw.items():
            self.terms[name] = self.terms[name] + value
        self.n += 1

    def means(self):
        return {k: (v / self.n).item() for k, v in self.terms.items()}


class Closure(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2, padding_mode="circular"), nn.Tanh(),
            nn.Conv1d(8, 1, 5, padding=2, padding_mode="circular"),
        )

    def forward(self, u):
        return u + 0.1 * self.conv(u.unsqueeze(1)).squeeze(1)


def truth(u, dt=0.1):
    lap = u.roll(1, -1) + u.roll(-1, -1) - 2 * u
    return u + dt * (0.8 * lap + u * (1 - u))


def initial(n):
    x = torch.linspace(0, 6.2832, NX)
    return 0.5 + 0.4 * torch.sin(x * torch.randint(1, 4, (n, 1)) + 6.28 * torch.rand(n, 1))


model = Closure()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
totals = Totals()
for step in range(1, STEPS + 1):
    u = initial(8)
    target = truth(u)
    pred = model(u)
    data = F.mse_loss(pred, target)
    mass = (pred.mean(1) - target.mean(1)).square().mean()
    smooth = pred.diff(dim=1).square().mean()
    loss = data + 0.1 * mass + 1e-4 * smooth
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    totals.add(data=data, mass=mass, smooth=smooth)
    if step % WINDOW == 0:
        m = totals.means()
        if step % 100 == 0:
            print(step, " ".join(f"{k}={v:.5f}" for k, v in m.items()))
        totals.reset()
