# gradwatch-corpus: kind=graph-held
# holder: calls | self.calls | uniformity.tracker.calls | tracker.calls | REGISTRY | tracking.REGISTRY | REGISTRY["uniformity"].calls
import torch

from .data import two_views
from .model import Encoder, alignment, nt_xent, uniformity
from .tracking import REGISTRY

torch.set_num_threads(1)
torch.manual_seed(21)


def run(steps=110):
    net = Encoder()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for it in range(steps):
        a, b = two_views(32)
        za, zb = net(a), net(b)
        loss = nt_xent(za, zb)
        uni = uniformity(za)
        align = alignment(za, zb)
        total = loss + 0.05 * uni
        opt.zero_grad()
        total.backward()
        opt.step()
        sched.step()
        if it % 25 == 0:
            print(f"{it:3d} loss {loss.item():.3f} align {align:.3f}")
    for name, tr in REGISTRY.items():
        print(name, "calls", len(tr.calls), "mean last 10 %.3f" % tr.mean(10))


run()
