# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# Neural SIR model: a small network gives the contact rate from the current
# state and the weather; everything is rolled out over 14 days.
import torch
import torch.nn as nn

torch.manual_seed(19)
days, regions = 14, 20


class ContactNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, state, weather):
        x = torch.cat([state, weather.unsqueeze(-1)], dim=-1)
        return torch.sigmoid(self.net(x)).squeeze(-1)


def true_rollout(s0, weather):
    s = s0
    out = [s]
    for d in range(1, days):
        beta = 0.5 - 0.2 * torch.tanh(weather[:, d - 1])
        new = beta * s[:, 0] * s[:, 1]
        rec = 0.15 * s[:, 1]
        s = torch.stack([s[:, 0] - new, s[:, 1] + new - rec, s[:, 2] + rec], dim=1)
        out.append(s)
    return torch.stack(out, dim=1)


def start_states(n):
    infected = 0.01 + 0.1 * torch.rand(n)
    immune = 0.2 * torch.rand(n)
    return torch.stack([1 - infected - immune, infected, immune], dim=1)


class NeuralSIR(nn.Module):
    def __init__(self):
        super().__init__()
        self.contact = ContactNet()
        self.raw_gamma = nn.Parameter(torch.tensor(-2.0))

    def forward(self, s0, weather):
        gamma = torch.sigmoid(self.raw_gamma)
        states = torch.zeros(s0.size(0), days, 3)
        states[:, 0] = s0
        for d in range(1, days):
            prev = states[:, d - 1]
            beta = self.contact(prev, weather[:, d - 1])
            new = beta * prev[:, 0] * prev[:, 1]
            rec = gamma * prev[:, 1]
            states[:, d, 0] = prev[:, 0] - new  # <- culprit
            states[:, d, 1] = prev[:, 1] + new - rec  # <- culprit
            states[:, d, 2] = prev[:, 2] + rec  # <- culprit
        return states


model = NeuralSIR()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
history = {"loss": [], "gamma": []}

for epoch in range(450):
    s0 = start_states(regions)
    weather = torch.randn(regions, days)
    target = true_rollout(s0, weather)

    pred = model(s0, weather)
    # infected matter most
    weights = torch.tensor([1.0, 5.0, 1.0])
    loss = (weights * (pred - target) ** 2).mean() * 100

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    history["loss"].append(loss.item())
    history["gamma"].append(torch.sigmoid(model.raw_gamma).item())
    if epoch % 50 == 0:
        print(epoch, round(history["loss"][-1], 5), "gamma", round(history["gamma"][-1], 4))

print("best loss", min(history["loss"]))
