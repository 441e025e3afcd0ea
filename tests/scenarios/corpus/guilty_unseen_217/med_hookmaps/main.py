# gradwatch-corpus: kind=graph-held
# holder: self.maps["bottleneck"] | inspector.maps["bottleneck"] | self.maps | inspector.maps
# first-bad: 1
import torch

from inspect_layers import LayerInspector
from losses import DiceBCE
from phantoms import PhantomCT
from unet import TinyUNet

CFG = {
    "seed": 9,
    "epochs": 3,
    "iters": 25,
    "size": 32,
    "batch": 4,
    "inspect": ["bottleneck", "head"],
    "optim": {"lr": 4e-3, "weight_decay": 1e-5},
}


def run(cfg):
    torch.manual_seed(cfg["seed"])
    scans = PhantomCT(cfg["size"], cfg["batch"])
    net = TinyUNet(1, 1, base=8)
    inspector = LayerInspector(cfg["inspect"]).bind(net)
    crit = DiceBCE(dice_weight=0.6)
    opt = torch.optim.AdamW(net.parameters(), **cfg["optim"])
    for epoch in range(cfg["epochs"]):
        dice = 0.0
        for img, mask in scans.epoch(cfg["iters"]):
            opt.zero_grad(set_to_none=True)
            out = net(img)
            loss, d = crit(out, mask)
            loss.backward()
            opt.step()
            dice += d
        print(f"epoch {epoch} dice {dice / cfg['iters']:.3f} {inspector.describe()}")


if __name__ == "__main__":
    run(CFG)
