# gradwatch-corpus: kind=none
import torch

from .architect import Architect
from .network import Network


def batch(n=24):
    x = torch.rand(n, 4) * 2 - 1
    y = (x[:, 0] * x[:, 1] + torch.sin(3 * x[:, 2]) > 0).long()
    return x, y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    model = Network(4, 16, 2, cells=2)
    w_opt = torch.optim.SGD(model.weights(), lr=0.05, momentum=0.9, weight_decay=3e-4)
    a_opt = torch.optim.Adam(model.alphas(), lr=3e-3, betas=(0.5, 0.999), weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(w_opt, 100, eta_min=0.005)
    architect = Architect(model, 0.9, 3e-4)
    genotypes, top1 = [], 0.0
    for step in range(100):
        trn, val = batch(), batch()
        a_opt.zero_grad()
        architect.unrolled_backward(*trn, *val, xi=scheduler.get_last_lr()[0], w_optim=w_opt)
        a_opt.step()
        w_opt.zero_grad()
        logits = model(trn[0])
        loss = model.criterion(logits, trn[1])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.weights(), 5.0)
        w_opt.step()
        scheduler.step()
        top1 = 0.95 * top1 + 0.05 * (logits.argmax(1) == trn[1]).float().mean().item()
        if step % 20 == 19:
            genotypes.append(model.genotype())
            print(f"step {step} loss {loss.item():.3f} top1 {top1:.2f} {genotypes[-1]}")


main()
