# gradwatch-corpus: kind=graph-chain
# holder: net.stem.node.v | self.stem.node.v | self.node.v | self.v | net.stem.node | self.node
# first-bad: 1
# notice: 5
# after: fangwei123456/Spike-Element-Wise-ResNet #19 "Trying to backward through the graph a second time" (reset of the net's state after backward)
import torch
from .registry import build
from .model import reset_net

CFG = dict(model=dict(name="dvs_net", channels=8, classes=5), T=4, batch=12, steps=80, lr=2e-3)


class PlainSGD(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is not None:
                    p.data.add_(p.grad.data, alpha=-g["lr"])


def main(cfg):
    torch.manual_seed(1)
    mc = dict(cfg["model"])
    net = build(mc.pop("name"), **mc)
    opt = PlainSGD(net.parameters(), cfg["lr"])
    ce = torch.nn.CrossEntropyLoss()
    for it in range(cfg["steps"]):
        y = torch.randint(0, 5, (cfg["batch"],))
        ev = (torch.rand(cfg["T"], cfg["batch"], 2, 16, 16) < 0.15 + 0.1 * y.view(1, -1, 1, 1, 1) / 5).float()
        loss = ce(net(ev) * 3, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        reset_net(net)
        if it % 20 == 0:
            print(it, loss.item())


main(CFG)
