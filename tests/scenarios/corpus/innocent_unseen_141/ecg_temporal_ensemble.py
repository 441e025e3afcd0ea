# gradwatch-corpus: kind=none
# Semi-supervised ECG beat classifier with a diagonal state-space core; predictions of the last few
# passes over a fixed unlabeled strip serve as consistency targets.
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(44)


class DiagonalSSM(nn.Module):
    def __init__(self, n_in, n_state, n_out):
        super().__init__()
        self.rate = nn.Parameter(torch.linspace(-2, 2, n_state))
        self.b, self.c = nn.Linear(n_in, n_state), nn.Linear(n_state, n_out)

    def forward(self, u):
        a = torch.sigmoid(self.rate)
        drive = self.b(u)
        s = torch.zeros(u.size(0), a.numel())
        for t in range(u.size(1)):
            s = a * s + (1 - a) * torch.tanh(drive[:, t])
        return self.c(s)


class Ensemble:
    def __init__(self, size):
        self.window = deque(maxlen=size)

    def target(self):
        probs = torch.stack([z.detach().softmax(-1) for z in self.window])
        return probs.mean(0)

    def spread(self):
        return torch.stack(list(self.window)).std(0).mean().item() if len(self.window) > 1 else 0.0


def beats(n):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 1, 14)
    x = torch.exp(-((t[None] - 0.25 * (y[:, None] + 1)) ** 2) / 0.01)
    return (x + 0.2 * torch.randn_like(x)).unsqueeze(-1), y


net = DiagonalSSM(1, 16, 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
strip, _ = beats(20)
ensemble = Ensemble(6)
for step in range(700):
    x, y = beats(8)
    loss = F.cross_entropy(net(x), y)
    unlabeled = net(strip + 0.05 * torch.randn_like(strip))
    if ensemble.window:
        loss = loss + min(1.0, step / 300) * F.mse_loss(unlabeled.softmax(-1), ensemble.target())
    ensemble.window.append(unlabeled)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 140 == 0:
        print(step, round(loss.item(), 3), round(ensemble.spread(), 3))
