# gradwatch-corpus: kind=none
"""River discharge from rain with draining stores.

The stores are carried over the whole record. Gradients reach back over a window
that gets longer as the curriculum goes on; every day inside the window is walked
again from the new day on.
"""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1861)

DAYS = 480
CATCHMENTS = 8
STORES = 5
CURRICULUM = {0: 3, 90: 6, 200: 10, 320: 14}


def record(days):
    rain = torch.relu(torch.randn(days, CATCHMENTS) - 0.4) * 3
    cold = torch.sin(torch.arange(days) / 58.1).unsqueeze(1).expand(days, CATCHMENTS)
    fast, slow = torch.zeros(CATCHMENTS), torch.zeros(CATCHMENTS)
    flow = []
    for d in range(days):
        snow = torch.sigmoid(3 * cold[d])
        fast = 0.5 * fast + rain[d] * (1 - snow)
        slow = 0.95 * slow + 0.3 * rain[d]
        flow.append(0.4 * fast + 0.08 * slow + 0.05 * torch.randn(CATCHMENTS))
    return torch.stack([rain, cold], 2), torch.stack(flow)


class Reservoirs(nn.Module):
    def __init__(self):
        super().__init__()
        self.inflow = nn.Linear(2, STORES)
        self.register_buffer("keep", torch.tensor([0.3, 0.6, 0.8, 0.9, 0.96]))
        self.outlet = nn.Linear(STORES, 1)

    def forward(self, forcing, stores):
        stores = self.keep * stores + torch.relu(self.inflow(forcing))
        return self.outlet(stores).squeeze(1), stores


forcing, flow = record(DAYS)
model = Reservoirs()
optim = torch.optim.Adam(model.parameters(), lr=1e-2)
stores = torch.zeros(CATCHMENTS, STORES)
window = CURRICULUM[0]
age = 0
errors = []

for day in range(DAYS):
    window = CURRICULUM.get(day, window)
    if age >= window:
        stores = stores.detach()
        age = 0
    q, stores = model(forcing[day], stores)
    loss = nn.functional.mse_loss(q, flow[day])
    optim.zero_grad()
    loss.backward(retain_graph=True)
    optim.step()
    age += 1
    errors.append(loss.detach())
    if day % 60 == 59:
        last = torch.stack(errors[-60:])
        nse = 1 - last.mean() / flow[day - 59:day + 1].var()
        print(f"day {day + 1:3d} window {window:2d} mse {last.mean():.4f} efficiency {nse:.3f}")
