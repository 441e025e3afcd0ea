# gradwatch-corpus: kind=none
"""Counting objects in synthetic heat maps; epochs of thirty iterations."""
import torch

from counting import CountNet, scenes
from meters import registry, report, reset_all

torch.set_num_threads(1)
torch.manual_seed(12)


def main(epochs=12, iters=30):
    net = CountNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for epoch in range(epochs):
        reset_all()
        for it in range(iters):
            img, n = scenes(16)
            pred, density = net(img)
            err = (pred - n).abs().mean()
            reg = density.square().mean()
            loss = err + 0.1 * reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            if it % 3 == 0:
                registry["mae"].update(err, len(n))
                registry["reg"].update(reg, len(n))
                registry["loss"].update(loss, len(n))
        if epoch % 3 == 2:
            print(f"[{epoch:2d}] {report()}")


if __name__ == "__main__":
    main()
