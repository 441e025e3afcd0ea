# gradwatch-corpus: kind=none
import torch

from fields import RadarFields
from heads import NowcastNet
from surgery import PCGrad
from losses import TASK_LOSSES


def main():
    torch.manual_seed(303)
    net = NowcastNet(frames=3, width=12)
    opt = PCGrad(torch.optim.Adam(net.parameters(), lr=2e-3), seed=1)
    running = {k: 0.0 for k in TASK_LOSSES}
    for it, (x, targets) in enumerate(RadarFields(size=20, frames=3).take(80, batch=6)):
        preds = net(x)
        losses = {k: fn(preds[k], targets[k]) for k, fn in TASK_LOSSES.items()}
        opt.step(losses)
        for k, v in losses.items():
            running[k] = 0.95 * running[k] + 0.05 * v.detach()
        if (it + 1) % 40 == 0:
            print(it + 1, {k: round(v.item(), 3) for k, v in running.items()}, "conflicts", opt.conflicts)


if __name__ == "__main__":
    main()
