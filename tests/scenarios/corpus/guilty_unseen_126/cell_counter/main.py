# gradwatch-corpus: kind=crashed
# first-bad: 40
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(88)

from density import DensityNet, CountTask

task = CountTask(DensityNet())
opt = torch.optim.Adam(task.net.parameters(), lr=2e-3)


def dish(n=6):
    dots = (torch.rand(n, 1, 9, 9) < 0.06).float()
    return dots + 0.05 * torch.randn(n, 1, 9, 9), dots


for it in range(400):
    img, dots = dish()
    opt.zero_grad()
    loss = task.loss(img, dots, stage="density" if it < 40 else "count")
    loss.backward()
    opt.step()
    if it % 20 == 0:
        print(it, loss.item())
