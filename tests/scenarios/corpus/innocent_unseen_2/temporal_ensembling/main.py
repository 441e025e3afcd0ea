# gradwatch-corpus: kind=none
"""Video frames: consistency between the features of the last k frames; the window is cut and emptied after each update."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from torch import nn
from windows import FrameWindow


class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(1, 6, 3, 2), nn.ReLU(), nn.Flatten(), nn.Linear(54, 10))
        self.window = FrameWindow(k=3)

    def forward(self, frame):
        z = self.f(frame)
        self.window.push(z)
        return z


def clip(T, b=8):
    base = torch.randn(b, 1, 8, 8)
    for t in range(T):
        yield base.roll(t % 3, -1) + 0.1 * torch.randn(b, 1, 8, 8)


torch.manual_seed(16)
enc, head = Enc(), nn.Linear(10, 64)
opt = torch.optim.Adam([*enc.parameters(), *head.parameters()], lr=1e-3)
for it in range(130):
    rec = 0.0
    for frame in clip(5):
        rec = rec + (head(enc(frame)) - frame.flatten(1)).pow(2).mean()
    loss = rec / 5 + 0.2 * enc.window.smoothness()
    opt.zero_grad()
    loss.backward()
    opt.step()
    enc.window.clear()
    if it % 26 == 0:
        print(it, "%.4f" % loss.item())
