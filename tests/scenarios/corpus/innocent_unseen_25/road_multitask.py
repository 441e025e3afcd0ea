# gradwatch-corpus: kind=none
# after: WeiChengTseng/Pytorch-PCGrad (one backward per objective over a shared trunk, retain_graph needed), AverageMeter of pytorch/examples imagenet
from __future__ import print_function
import random
import torch
import torch.nn as nn
import torch.nn.functional as F


class AverageMeter(object):
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val = self.sum = self.avg = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class RoadNet(nn.Module):
    def __init__(self):
        super(RoadNet, self).__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 16, 3, 1, 1), nn.ReLU())
        self.heads = nn.ModuleDict({"seg": nn.Conv2d(16, 3, 1), "depth": nn.Conv2d(16, 1, 1), "normal": nn.Conv2d(16, 2, 1)})
        self.features = None
        self.trunk.register_forward_hook(self._keep)

    def _keep(self, module, inputs, output):
        self.features = output          # for the figure of the last batch, overwritten every time

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h) for k, head in self.heads.items()}


class PCGrad(object):
    def __init__(self, optimizer):
        self.optim = optimizer

    @property
    def params(self):
        return [p for g in self.optim.param_groups for p in g["params"]]

    def flat(self):
        return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params])

    def pc_backward(self, objectives):
        grads = []
        for i, obj in enumerate(objectives):
            self.optim.zero_grad(set_to_none=True)
            obj.backward(retain_graph=i + 1 < len(objectives))
            grads.append(self.flat())
        mixed = [g.clone() for g in grads]
        for g in mixed:
            for other in random.sample(grads, len(grads)):
                dot = g @ other
                if dot < 0:
                    g -= dot * other / other.norm() ** 2
        merged, at = torch.stack(mixed).mean(0), 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()

    def step(self):
        self.optim.step()


def losses(out, x):
    seg = x.mean(1).mul(2).long().clamp(0, 2)
    depth = x[:, :1] * 0.5
    normal = F.normalize(x[:, 1:3] - 0.5, dim=1)
    return {"seg": F.cross_entropy(out["seg"], seg), "depth": F.l1_loss(out["depth"], depth),
            "normal": 1 - F.cosine_similarity(out["normal"], normal, dim=1).mean()}


random.seed(0)
torch.manual_seed(0)
net = RoadNet()
optimizer = PCGrad(torch.optim.Adam(net.parameters(), lr=1e-3))
meters = {k: AverageMeter(k) for k in net.heads}
for step in range(80):
    x = torch.rand(6, 3, 32, 32) * 1.4
    target = F.avg_pool2d(x, 2)
    ls = losses(net(x), target)
    optimizer.pc_backward(list(ls.values()))
    optimizer.step()
    for k, v in ls.items():
        meters[k].update(v.item(), len(x))
    if step % 20 == 19:
        print(step + 1, {k: round(m.avg, 4) for k, m in meters.items()}, "feat std", float(net.features.detach().std()))
        for m in meters.values():
            m.reset()
