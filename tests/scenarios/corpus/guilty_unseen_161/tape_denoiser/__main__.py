# gradwatch-corpus: kind=graph-held
# holder: _seen | meters.smooth.__defaults__ | smooth.__defaults__ | smooth.__defaults__[0]
# first-bad: 1
# notice: 8
import torch
from torch import nn

from .meters import smooth
from .model import HissNet, spectral_loss
from .tapes import tape_batches


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    net = HissNet(channels=12)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=4e-3, total_steps=90)
    l1 = nn.L1Loss()
    for step, (noisy, clean) in enumerate(tape_batches(90, batch=4, length=512)):
        est = net(noisy)
        wave = l1(est, clean)
        loss = wave + 0.3 * spectral_loss(est, clean)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        shown = smooth(loss)  # <- culprit
        if step % 15 == 0:
            print(f"{step:4d}  loss {shown:.4f}  lr {sched.get_last_lr()[0]:.2e}")


main()
