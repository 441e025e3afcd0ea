# gradwatch-corpus: kind=none
"""PINN for the viscous Burgers equation with adaptive term weights.

Weights follow "Understanding and mitigating gradient pathologies in PINNs"
(Wang, Teng & Perdikaris), smoothed; a window of past losses modulates them (DWA).
"""
import torch

from burgers import BurgersSampler, pde_residual
from net import MLP
from weighting import GradNormWeights, LossWindow


def compute_terms(net, sampler):
    x, t = sampler.interior(40)
    terms = {"pde": pde_residual(net, x, t).pow(2).mean()}
    x0, u0 = sampler.initial(24)
    terms["ic"] = (net(x0, torch.zeros_like(x0)) - u0).pow(2).mean()
    xb, tb = sampler.boundary(16)
    terms["bc"] = net(xb, tb).pow(2).mean()
    return terms


def main(iters=300, refresh=10, seed=1234):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net, sampler = MLP(24, depth=3), BurgersSampler()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 100, 0.6)
    adapt, window = GradNormWeights(["pde", "ic", "bc"]), LossWindow(length=20)
    loss_log = []

    for it in range(iters):
        terms = compute_terms(net, sampler)
        if it % refresh == 0:
            adapt.update(terms, net)
        window.push(terms)
        rate = window.rates()
        weights = {k: adapt.lam[k] * rate[k] for k in terms}
        loss = sum(weights[k] * terms[k] for k in terms)

        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()

        loss_log.append([terms[k].item() for k in ("pde", "ic", "bc")])
        if (it + 1) % 60 == 0:
            pde, ic, bc = loss_log[-1]
            print(f"{it + 1:4d}  pde {pde:.2e}  ic {ic:.2e}  bc {bc:.2e}  "
                  f"lam " + " ".join(f"{float(w):.2f}" for w in weights.values()))


if __name__ == "__main__":
    main()
