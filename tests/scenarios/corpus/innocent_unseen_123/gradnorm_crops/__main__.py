# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(140)

from .field import plots
from .gradnorm import GradNorm
from .model import CropNet


def main(steps=700):
    net = CropNet()
    gn = GradNorm(tasks=3, alpha=1.2)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    w_opt = torch.optim.SGD([gn.weights], lr=0.02)
    for s in range(steps):
        x, truth = plots(16)
        losses = net.losses(x, truth)
        opt.zero_grad()
        (gn.weights.detach() * losses).sum().backward(retain_graph=True)
        w_opt.zero_grad()
        gn.objective(losses, net.shared()).backward(inputs=[gn.weights])
        opt.step()
        w_opt.step()
        gn.renormalise()
        if s % 175 == 174:
            print(s + 1, [round(v, 3) for v in losses.tolist()], [round(w, 2) for w in gn.weights.tolist()])


main()
