# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(110)

N_BATCHES = 8
soil = torch.randn(N_BATCHES * 15, 5)
ph = (soil @ torch.randn(5, 1)).sin() + 0.05 * torch.randn(N_BATCHES * 15, 1)
batches = list(zip(soil.split(15), ph.split(15)))


class PHModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.hid = nn.Linear(5, 14)
        self.mean = nn.Linear(14, 1)
        self.logvar = nn.Linear(14, 1)

    def forward(self, x):
        h = self.hid(x).tanh()
        return self.mean(h), self.logvar(h)


model = PHModel()
opt = torch.optim.Rprop(model.parameters(), lr=1e-3)
nll = nn.GaussianNLLLoss()
curve = []

for epoch in range(480):
    epoch_loss = 0
    residuals = []
    for x, y in batches:
        m, lv = model(x)
        epoch_loss += nll(m, y, lv.exp())
        residuals.append(y - m)
    bias_penalty = torch.cat(residuals).mean().pow(2)
    objective = epoch_loss / N_BATCHES + bias_penalty
    opt.zero_grad()
    objective.backward()
    opt.step()
    curve.append(objective.item())
    if epoch % 80 == 0:
        print(epoch, curve[-1], bias_penalty.item())
