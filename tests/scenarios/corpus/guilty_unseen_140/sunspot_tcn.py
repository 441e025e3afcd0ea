# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
# %%
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(11)

# %% synthetic monthly numbers with an eleven-year beat
months = torch.arange(1200.0)
cycle = torch.sin(2 * math.pi * months / 132).clamp_min(-0.3) * (1 + 0.3 * torch.sin(2 * math.pi * months / 1056))
series = cycle + 0.1 * torch.randn(1200)
LAG, HORIZON = 48, 6
train_part, valid_part = series[:1000], series[1000:]


# %%
def windows(part, n):
    starts = torch.randint(0, len(part) - LAG - HORIZON, (n,)).tolist()
    x = torch.stack([part[s:s + LAG] for s in starts])
    y = torch.stack([part[s + LAG:s + LAG + HORIZON] for s in starts])
    return x.unsqueeze(1), y


# %%
class Causal(nn.Module):
    def __init__(self, a, b, dilation):
        super().__init__()
        self.pad = nn.ConstantPad1d((2 * dilation, 0), 0.0)
        self.conv = nn.Conv1d(a, b, 3, dilation=dilation)

    def forward(self, x):
        return torch.relu(self.conv(self.pad(x)))


net = nn.Sequential(Causal(1, 6, 1), Causal(6, 6, 2), Causal(6, 6, 4))
head = nn.Linear(6, HORIZON)
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=3e-3)


def forecast(x):
    return head(net(x)[..., -1])


# %%
scores = []
best = None


def validate():
    global best
    torch.set_grad_enabled(False)  # <- culprit
    x, y = windows(valid_part, 32)
    scores.append((forecast(x) - y).abs().mean().item())
    if len(scores) < 3:
        return "warming up"  # <- culprit
    improved = scores[-1] <= min(scores)
    if improved:
        best = {k: v.clone() for k, v in net.state_dict().items()}
    torch.set_grad_enabled(True)
    return "improved" if improved else "no gain"


# %%
for it in range(600):
    x, y = windows(train_part, 24)
    loss = (forecast(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if (it + 1) % 60 == 0:
        print(it + 1, f"{loss.item():.4f}", validate(), scores[-1])
