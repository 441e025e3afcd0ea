# gradwatch-corpus: kind=none
"""RealNVP on a spiral; gradients gathered over micro-batches, averaged weights for sampling."""
import torch

from .flow import Flow
from .mon import Probe, WAvg


def spiral(n):
    t = 3 * torch.pi * torch.sqrt(torch.rand(n))
    s = torch.sign(torch.rand(n) - 0.5)
    x = torch.stack([s * t * torch.cos(t), s * t * torch.sin(t)], 1) / 5
    return x + 0.06 * torch.randn_like(x)


def main(T=70, nacc=3, mb=64):
    torch.manual_seed(17)
    f = Flow(2, 32, 4)
    opt = torch.optim.AdamW(f.parameters(), lr=3e-3, weight_decay=1e-5)
    sch = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T)
    wa = WAvg(f, 0.95)
    pr = Probe(f, keep=200)
    xv = spiral(400)

    hist = []
    opt.zero_grad()
    for i in range(T * nacc):
        z, ld = f(spiral(mb))
        nll = f.nll(z, ld)
        (nll / nacc).backward()
        hist.append(nll.detach())
        if (i + 1) % nacc:
            continue
        gn = torch.nn.utils.clip_grad_norm_(f.parameters(), 3.0)
        opt.step()
        opt.zero_grad()
        sch.step()
        wa.update(f)
        k = (i + 1) // nacc
        if k % 20 == 0:
            with torch.no_grad(), pr.off():
                v = f.nll(*f(xv))
            tail = torch.stack(hist[-4 * nacc:])
            print(f"step {k:3d} nll {tail.mean():.4f} +- {tail.std():.4f} val {v:.4f} |g| {gn:.2f} {pr.line()}")

    with torch.no_grad(), pr.off(), wa.use(f):
        print("val with averaged weights %.4f" % f.nll(*f(xv)))
        x = f.inv(torch.randn(500, 2))
        print("sample radius %.3f  data radius %.3f" % (x.norm(dim=1).mean(), xv.norm(dim=1).mean()))


main()
