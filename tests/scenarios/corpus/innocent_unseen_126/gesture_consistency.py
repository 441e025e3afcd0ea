# gradwatch-corpus: kind=none
from collections import deque
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(113)


class GestureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 18), nn.LayerNorm(18), nn.GELU(), nn.Linear(18, 4))

    def forward(self, x):
        return self.net(x).log_softmax(-1)


class Smoother:
    """Compares each answer with what was said about the last few frames."""

    def __init__(self, horizon=5):
        self.recent = deque(maxlen=horizon)

    def penalty(self, logp):
        if not self.recent:
            return logp.new_zeros(())
        past = torch.stack(tuple(self.recent)).exp().mean(0)
        return nn.functional.kl_div(logp, past.detach(), reduction="batchmean")

    def push(self, logp):
        self.recent.append(logp)


model, smoother = GestureNet(), Smoother()
opt = torch.optim.SGD(model.parameters(), lr=0.05, nesterov=True, momentum=0.8)
centres = torch.randn(4, 6)
pose = torch.randint(0, 4, (10,))
acc = 0.0
for frame in range(1000):
    if frame % 25 == 0:
        pose = torch.randint(0, 4, (10,))
    x = centres[pose] + 0.7 * torch.randn(10, 6)
    logp = model(x)
    loss = nn.functional.nll_loss(logp, pose) + 0.1 * smoother.penalty(logp)
    opt.zero_grad()
    loss.backward()
    opt.step()
    smoother.push(logp)
    acc = 0.99 * acc + 0.01 * (logp.argmax(1) == pose).float().mean().item()
    if frame % 200 == 0:
        print(frame, loss.item(), acc)
