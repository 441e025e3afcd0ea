# gradwatch-corpus: kind=none
import torch

from balance import GradNorm
from pointnet import Heads, shapes


def main(steps: int = 420, every: int = 4) -> None:
    torch.manual_seed(12)
    net = Heads()
    gn = GradNorm(n_tasks=3, layer=net.shared[-1].weight, alpha=0.8)
    opt_net = torch.optim.Adam(net.parameters(), 2e-3)
    opt_w = torch.optim.SGD([gn.log_w], lr=0.02)
    past = []
    for step in range(steps):
        terms = net.losses(*shapes(step, 8, 48))
        total = (gn.weights().detach() * terms).sum()
        opt_net.zero_grad()
        if step % every == 0:
            total.backward(retain_graph=True)
            opt_w.zero_grad()
            gap = gn.gap(terms)
            gap.backward(inputs=[gn.log_w])
            opt_w.step()
            gn.renormalise()
        else:
            total.backward()
        opt_net.step()
        past = (past + [terms.detach()])[-40:]
        if step % 60 == 0:
            mean = torch.stack(past).mean(0)
            print(step, [round(v, 3) for v in mean.tolist()], [round(v, 2) for v in gn.weights().tolist()])


if __name__ == "__main__":
    main()
