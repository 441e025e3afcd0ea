# gradwatch-corpus: kind=none
import torch

from model import Trunk
from surgery import flat_grads, project

STEPS = 90


def clips(steps, batch=20, seed=14):
    g = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        x = torch.randn(batch, 1, 32, generator=g).cumsum(-1) / 4
        yield x, x.mean((1, 2)), (x.amax((1, 2)) > 0.8).long()


def main():
    torch.manual_seed(0)
    net = Trunk()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    trunk = list(net.shared())
    log = []
    for step, (x, level, high) in enumerate(clips(STEPS)):
        feats = net.features(x)
        feats.meta = {"step": step, "size": feats.detach().norm().item()}
        reg = torch.nn.functional.mse_loss(net.level(feats).squeeze(-1), level)
        cls = torch.nn.functional.cross_entropy(net.high(feats), high)

        opt.zero_grad()
        reg.backward(retain_graph=True)
        g_reg = flat_grads(trunk, take=True)
        cls.backward()
        g_cls = flat_grads(trunk, take=True)
        cos = project(trunk, g_reg, g_cls)
        opt.step()

        log.append((feats.meta, reg.item(), cls.item(), cos))
        if step % 18 == 0:
            print(f"{step:3d} reg {reg.item():.4f} cls {cls.item():.4f} cos {cos:+.2f}")
    clashes = sum(cos < 0 for *_, cos in log)
    print(f"{clashes} of {len(log)} steps had a clash; largest features",
          f"{max(meta['size'] for meta, *_ in log):.2f}")


if __name__ == "__main__":
    main()
