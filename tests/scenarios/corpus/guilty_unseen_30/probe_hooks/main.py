# gradwatch-corpus: kind=graph-held
# holder: self.tape | self.tape[name] | probe.tape | probe.tape[name]
# first-bad: 1
import torch
import torch.nn.functional as F

from nets import SmallResNet, shapes_batch
from probes import ActivationProbe

cfg = dict(iters=200, batch=10, lr=0.02, watch=("stage1", "stage2"))


def train(cfg):
    torch.manual_seed(42)
    net = SmallResNet(classes=3)
    probe = ActivationProbe()
    for name in cfg["watch"]:
        probe.attach(name, getattr(net, name))

    sgd = torch.optim.SGD(net.parameters(), lr=cfg["lr"], momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(sgd, T_max=cfg["iters"])
    for i in range(cfg["iters"]):
        images, target = shapes_batch(cfg["batch"], seed=i)
        loss = F.cross_entropy(net(images), target)
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        sched.step()
        if i % 30 == 0:
            print(f"iter {i} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.4f}")
    probe.detach_all()
    with torch.no_grad():
        drift = probe.drift()
    for name, (first, last) in drift.items():
        print(f"{name}: mean activation {first:.3f} -> {last:.3f}")


if __name__ == "__main__":
    train(cfg)
