# gradwatch-corpus: kind=graph-held
# holder: rejected
# first-bad: 3
# notice: 8
# Learned low-dose CT: a small residual net that maps noisy sinogram rows to clean ones.
# Rows with broken detectors are listed after the run.
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)

N_DET = 24


class BadRow(RuntimeError):
    def __init__(self, angle, level):
        super().__init__(f"angle {angle}: residual level {level:.2f}")
        self.angle = angle


def sinogram_row(angle):
    s = torch.linspace(-1, 1, N_DET)
    centre = 0.4 * torch.cos(torch.tensor(angle * 0.1))
    clean = torch.sqrt(torch.clamp(0.3 - (s - centre) ** 2, min=0.0))
    noisy = clean + 0.02 * torch.randn(N_DET)
    if angle % 3 == 2:
        noisy[torch.randint(0, N_DET, (4,))] += 25.0
    return noisy, clean


net = nn.Sequential(nn.Linear(N_DET, 32), nn.Tanh(), nn.Linear(32, N_DET))
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)


def quality(angle, noisy, level=2.0):
    spread = float(noisy.std())
    if spread > level:
        raise BadRow(angle, spread)


def update(angle):
    noisy, clean = sinogram_row(angle)
    estimate = clean.mean() + net(noisy)
    loss = nn.functional.smooth_l1_loss(estimate, clean)
    opt.zero_grad()
    loss.backward()
    opt.step()
    quality(angle, noisy)
    return loss.item()


rejected = []
good = 0.0
for angle in range(480):
    try:
        good = 0.95 * good + 0.05 * update(angle)
    except BadRow as problem:
        rejected.append(problem)  # <- culprit
    if angle % 80 == 79:
        print(angle, f"smooth loss {good:.4f}", f"rejected {len(rejected)}")

print("first rejected:", [str(p) for p in rejected[:3]])
