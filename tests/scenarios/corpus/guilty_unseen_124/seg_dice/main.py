# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
import torch

from criteria import make_criterion
from nodules import scan_batch
from unet import TinyUNet

torch.set_num_threads(1)
torch.manual_seed(55)

STAGES = ({"criterion": "bce", "steps": 60, "lr": 1e-2}, {"criterion": "hard_dice", "steps": 120, "lr": 2e-3})

net = TinyUNet()
for stage in STAGES:
    criterion = make_criterion(stage["criterion"])
    opt = torch.optim.Adam(net.parameters(), lr=stage["lr"])
    for s in range(stage["steps"]):
        img, mask = scan_batch(6)
        loss = criterion(net(img), mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(stage["criterion"], loss.item())
