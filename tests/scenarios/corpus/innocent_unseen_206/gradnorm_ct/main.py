# gradwatch-corpus: kind=none
import torch
from balance import GradNorm
from heads import CTNet
from scans import scan_batch
from watch import JsonLines


def main(steps=420):
    torch.manual_seed(90)
    gen = torch.Generator().manual_seed(90)
    net = CTNet()
    balance = GradNorm(["organ", "density", "contrast"], alpha=0.8)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    log = JsonLines(keep=200)
    for step in range(steps):
        x, targets = scan_batch(24, gen)
        losses = net.losses(x, targets)
        weights, gap = balance.update(losses, net.shared_weight())
        total = sum(w * losses[k] for k, w in weights.items())
        opt.zero_grad()
        total.backward()
        opt.step()
        log.write(step=step, total=total, gap=gap, **{f"w_{k}": w for k, w in weights.items()},
                  **{k: v for k, v in losses.items()})
        if step % 70 == 69:
            print(log.tail("total", 20), log.tail("gap", 20), log.last("w_"))


if __name__ == "__main__":
    main()
