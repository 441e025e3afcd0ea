# gradwatch-corpus: kind=none
"""Disruption precursors in a tokamak signal: GRU trained over chunks of one long shot."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)


class Precursor(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(3, 12, batch_first=True)
        self.head = nn.Linear(12, 1)
        self.memory = None

    def forget(self):
        self.memory = None

    def forward(self, chunk):
        out, self.memory = self.gru(chunk, self.memory)
        return self.head(out)

    def cut(self):
        self.memory = self.memory.detach()


def shot(n=1200):
    t = torch.arange(n) * 0.05
    amp = torch.linspace(0.1, 1.0, n)
    x = torch.stack([amp * torch.sin(t), amp * torch.cos(1.3 * t), 0.2 * torch.randn(n)], 1)
    y = (amp > 0.6).float().unsqueeze(1)
    return x.unsqueeze(0), y.unsqueeze(0)


net = Precursor()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for s in range(8):
    x, y = shot()
    net.forget()
    for a in range(0, x.shape[1], 12):
        logit = net(x[:, a:a + 12])
        loss = nn.functional.binary_cross_entropy_with_logits(logit, y[:, a:a + 12])
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.cut()
    print("shot", s, f"{loss.item():.3f}")
