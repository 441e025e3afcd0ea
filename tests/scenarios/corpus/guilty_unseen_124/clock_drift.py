# gradwatch-corpus: kind=graph-chain
# holder: clock.phase | self.phase
# first-bad: 1
# notice: 5
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)


class Clock(nn.Module):
    """Bank of receivers whose clocks run off at a steady pace each."""

    def __init__(self, n):
        super().__init__()
        self.pace = nn.Parameter(torch.zeros(n))
        self.offset = nn.Parameter(torch.zeros(n))
        self.phase = torch.zeros(n)

    def tick(self):
        self.phase = self.phase + self.pace  # <- culprit
        return self.phase + self.offset


class Receivers:
    def __init__(self, n):
        self.pace = 0.02 * torch.randn(n)
        self.offset = torch.randn(n)
        self.t = 0

    def measure(self, repeats=6):
        self.t += 1
        clean = self.offset + self.t * self.pace
        return clean + 0.05 * torch.randn(repeats, len(clean))


def huber_fit(pred, seen):
    return nn.functional.huber_loss(pred.expand_as(seen), seen, delta=0.5)


rx = Receivers(9)
clock = Clock(9)
opt = torch.optim.SGD([{"params": [clock.pace], "lr": 1e-6}, {"params": [clock.offset], "lr": 0.05}])
for sec in range(1, 301):
    loss = huber_fit(clock.tick(), rx.measure())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if sec % 75 == 0:
        print(sec, f"{loss.item():.4f}", f"{(clock.offset - rx.offset).abs().mean().item():.3f}")
