# gradwatch-corpus: kind=graph-held
# holder: self.lam | balance.lam | self.lam[name] | balance.lam["ic"] | balance.lam["bc"] | self.lam["ic"] | self.lam["bc"]
# first-bad: 1
import argparse

import torch

from problem import Heat, Net
from weights import GradientBalance


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--n", type=int, default=48)
    ap.add_argument("--alpha", type=float, default=0.9)
    args = ap.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)

    net, pde = Net(), Heat()
    balance = GradientBalance(net, ["ic", "bc"], alpha=args.alpha)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for it in range(args.iters):
        opt.zero_grad(set_to_none=True)
        res = pde.residual(net, args.n)
        terms = pde.terms(net, args.n)
        balance.update(res, terms)
        loss = balance.total(res, terms)
        loss.backward()
        opt.step()
        if it % 20 == 0:
            shown = {k: round(v.item(), 3) for k, v in balance.lam.items()}
            print(it, f"{loss.item():.4f}", f"{res.item():.4f}", shown)


if __name__ == "__main__":
    main()
