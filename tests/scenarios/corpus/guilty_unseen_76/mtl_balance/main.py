# gradwatch-corpus: kind=second-backward
# holder: self.running | self.running[task] | self.running[k] | weigher.running | weigher.running[k] | prev
# first-bad: 1
# notice: 0
import torch
import torch.nn as nn
import torch.nn.functional as F

from weighting import build_weigher

torch.set_num_threads(1)

cfg = dict(seed=3, steps=120, batch=48, lr=3e-3, weigher="running", weigher_args=dict(beta=0.9))


class SharedNet(nn.Module):
    def __init__(self, d=10, h=40):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU())
        self.depth = nn.Linear(h, 1)
        self.normal = nn.Linear(h, 3)
        self.seg = nn.Linear(h, 5)

    def forward(self, x):
        z = self.enc(x)
        return {"depth": self.depth(z)[:, 0], "normal": F.normalize(self.normal(z), dim=1), "seg": self.seg(z)}


class Scene:
    def __init__(self, d=10):
        self.a = torch.randn(d)
        self.b = torch.randn(d, 3)
        self.c = torch.randn(d, 5)

    def batch(self, n):
        x = torch.randn(n, len(self.a))
        return x, {
            "depth": 20 * (x @ self.a).tanh(),
            "normal": F.normalize(x @ self.b, dim=1),
            "seg": (x @ self.c).argmax(1),
        }


def task_losses(pred, gt):
    return {
        "depth": F.l1_loss(pred["depth"], gt["depth"]),
        "normal": 1 - (pred["normal"] * gt["normal"]).sum(1).mean(),
        "seg": F.cross_entropy(pred["seg"], gt["seg"]),
    }


def main():
    torch.manual_seed(cfg["seed"])
    scene, net = Scene(), SharedNet()
    weigher = build_weigher(cfg["weigher"], **cfg["weigher_args"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"])
    for step in range(cfg["steps"]):
        x, gt = scene.batch(cfg["batch"])
        losses = task_losses(net(x), gt)
        total = weigher(losses)
        opt.zero_grad()
        total.backward()
        opt.step()
        if step % 20 == 0:
            print(step, {k: round(v.item(), 3) for k, v in losses.items()})


if __name__ == "__main__":
    main()
