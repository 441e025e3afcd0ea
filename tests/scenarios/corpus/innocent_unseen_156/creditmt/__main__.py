# gradwatch-corpus: kind=none
"""Default, prepayment and loss-given-default on one trunk, balanced with GradNorm."""
import torch

from .balance import GradNorm
from .book import loans
from .net import RiskNet, task_losses


def main(iters=100):
    torch.set_num_threads(1)
    torch.manual_seed(61)
    net = RiskNet(inputs=8)
    balance = GradNorm(tasks=3, shared=net.trunk[-2].weight, alpha=1.2)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    opt_w = torch.optim.SGD([balance.weights], lr=0.02)
    for it in range(iters):
        losses = task_losses(net, *loans(64))
        total = (balance.weights.detach() * losses).sum()
        opt.zero_grad()
        opt_w.zero_grad()
        total.backward(retain_graph=True)
        imbalance = balance.imbalance(losses)
        (balance.weights.grad,) = torch.autograd.grad(imbalance, balance.weights)
        opt.step()
        opt_w.step()
        balance.renormalise()
        balance.trace.append([round(w, 3) for w in balance.weights.tolist()])
        if it % 20 == 0:
            print(it, [round(v, 3) for v in losses.tolist()], balance.trace[-1])


if __name__ == "__main__":
    main()
