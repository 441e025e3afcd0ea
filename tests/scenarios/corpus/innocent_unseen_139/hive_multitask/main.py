# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(505)

from hive import HiveNet, recordings
from surgery import ConflictSurgeon

net = HiveNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
surgeon = ConflictSurgeon(net.shared.parameters())
for n, (sound, targets) in enumerate(recordings(450)):
    losses = net.losses(sound, targets)
    opt.zero_grad()
    surgeon.backward(losses)
    opt.step()
    if n % 90 == 0:
        print(n, {k: round(v.item(), 3) for k, v in losses.items()}, "conflicts", surgeon.conflicts)
