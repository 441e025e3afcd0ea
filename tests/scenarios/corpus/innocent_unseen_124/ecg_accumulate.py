# gradwatch-corpus: kind=none
"""ECG beat classifier, trained with gradients gathered over four micro-batches."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

MICRO = 4


class BeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 6, 7, 2), nn.ReLU(), nn.Conv1d(6, 6, 5, 2), nn.ReLU())
        self.att = nn.Linear(6, 1)
        self.out = nn.Linear(6, 3)

    def forward(self, x):
        h = self.conv(x).transpose(1, 2)
        w = self.att(h).softmax(1)
        return self.out((w * h).sum(1))


def beats(n=6):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(0, 1, 64)
    qrs = torch.exp(-((t - 0.5) ** 2) / (0.001 * (1 + 2 * y[:, None])))
    return (qrs + 0.1 * torch.randn(n, 64))[:, None], y


net = BeatNet()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
crit = nn.CrossEntropyLoss()
pending = []
for micro in range(450 * MICRO):
    x, y = beats()
    loss = crit(net(x), y) / MICRO
    loss.backward()
    pending.append(loss)
    if len(pending) == MICRO:
        opt.step()
        opt.zero_grad()
        total = sum(p.item() for p in pending)
        pending.clear()
        if micro % 400 == 399:
            print(micro, f"{total:.4f}")
