# gradwatch-corpus: kind=none
"""python -m wgan_gp"""
import torch

from .nets import critic, generator
from .penalty import gradient_penalty


def main(iters=60, n_critic=2):
    torch.manual_seed(4)
    G, C = generator(4, 2), critic(2)
    og = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.0, 0.9))
    oc = torch.optim.Adam(C.parameters(), 1e-3, betas=(0.0, 0.9))
    for i in range(iters):
        for _ in range(n_critic):
            x = torch.randn(32, 2) * torch.tensor([1.0, 0.2]) + 1
            with torch.no_grad():
                f = G(torch.randn(32, 4))
            gp = gradient_penalty(C, x, f)
            wd = C(x).mean() - C(f).mean()
            oc.zero_grad(set_to_none=True)
            (-wd + 10 * gp).backward()
            oc.step()
        for p in C.parameters():
            p.requires_grad_(False)
        og.zero_grad(set_to_none=True)
        gl = -C(G(torch.randn(32, 4))).mean()
        gl.backward()
        og.step()
        for p in C.parameters():
            p.requires_grad_(True)
        if i % 15 == 0:
            print(i, "W %.3f gp %.4f g %.3f" % (wd.item(), gp.item(), gl.item()))


main()
