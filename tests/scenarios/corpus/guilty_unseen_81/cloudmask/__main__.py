# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | level.smooth | net.level.smooth | self.level.smooth | previous | level
# first-bad: 1
# notice: 5
# (exported from cloudmask_v4.ipynb, cells 3-11)
import torch

from . import scenes, training
from .net import CloudNet

CFG = dict(tile=24, bands=4, batch=6, passes=2, tiles=48, lr=3e-3)


def run(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(1979)
    net = CloudNet(cfg["bands"])
    print("parameters:", sum(p.numel() for p in net.parameters()))
    archive = scenes.Archive(cfg["tiles"] * cfg["batch"], cfg["bands"], cfg["tile"])
    for k in range(cfg["passes"]):
        summary = training.one_pass(net, archive, cfg)
        iou = training.validate(net, archive.held_out())
        print(f"pass {k}: loss {summary:.4f}  IoU {iou:.3f}")
        print("   brightness levels", [round(v, 3) for v in net.level.report()])


run(CFG)
