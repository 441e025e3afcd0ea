# gradwatch-corpus: kind=graph-chain
# holder: level
# first-bad: 1
# notice: 5
# Bachelor thesis: short-term load forecasting with learnable exponential smoothing
import torch
import torch.nn as nn
import torch.optim as optim
torch.set_num_threads(1)
torch.manual_seed(42)

# ---------- synthetic hourly load of 6 households ----------
hours = torch.arange(24 * 60).float()
phase = torch.rand(6, 1) * 6.28
load = 1.5 + torch.sin(hours * 6.28 / 24 + phase) + 0.001 * hours + 0.1 * torch.randn(6, len(hours))

WINDOW = 6
chunks = load.split(WINDOW, dim=1)
chunks = [c for c in chunks if c.shape[1] == WINDOW]
print("number of chunks", len(chunks))


class ESForecaster(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.a = nn.Parameter(torch.tensor(0.0))      # smoothing (before sigmoid)
        self.seasonal = nn.Sequential(nn.Linear(window, 12), nn.Tanh(), nn.Linear(12, window))
        self.scale = nn.Parameter(torch.ones(window))

    def forward(self, x, level):
        alpha = torch.sigmoid(self.a)
        for i in range(x.shape[1]):
            level = level + alpha * (x[:, i] - level)
        resid = self.seasonal(x - level.detach().unsqueeze(1))
        return level.unsqueeze(1) * self.scale + resid, level


model = ESForecaster(WINDOW)
criterion = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=0.004)

level = load[:, 0].clone()
mae_hist = []
for step in range(len(chunks) - 1):
    if step >= 200:
        break
    inp, target = chunks[step], chunks[step + 1]
    optimizer.zero_grad()
    forecast, level = model(inp, level)  # <- culprit
    loss = criterion(forecast, target)
    loss.backward(retain_graph=True)
    optimizer.step()
    mae_hist.append((forecast - target).abs().mean().item())
    if step % 50 == 49:
        print("step", step + 1, "loss %.4f" % loss.item(), "mae %.4f" % (sum(mae_hist[-50:]) / 50),
              "alpha %.3f" % torch.sigmoid(model.a).item())
