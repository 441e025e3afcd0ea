# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(107)

from torch import nn, optim
from swa import ParamEMA

net = nn.Sequential(nn.Conv1d(2, 6, 3, padding=1), nn.GroupNorm(2, 6), nn.SiLU(), nn.Conv1d(6, 2, 3, padding=1))
ema = ParamEMA(net.parameters(), 0.99)
opt = optim.AdamW(net.parameters(), lr=2e-3)
sched = optim.lr_scheduler.CosineAnnealingLR(opt, 700)


def stereo(n=8):
    t = torch.arange(20) / 20
    clean = torch.sin(6.28 * (t * torch.randint(1, 4, (n, 2, 1)) + torch.rand(n, 2, 1)))
    return clean, clean + 0.5 * torch.randn_like(clean)


history = {"train": [], "val": []}
for step in range(700):
    clean, noisy = stereo()
    loss = nn.functional.l1_loss(net(noisy), clean)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    ema.update()
    history["train"].append(loss.detach())
    if step % 100 == 99:
        net.eval()
        with ema.average_parameters(), torch.inference_mode():
            clean, noisy = stereo(32)
            history["val"].append(nn.functional.l1_loss(net(noisy), clean).item())
        net.train()
        print(step, torch.stack(history["train"][-100:]).mean().item(), history["val"][-1])
