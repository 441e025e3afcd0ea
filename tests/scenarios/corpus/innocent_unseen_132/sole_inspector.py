# gradwatch-corpus: kind=none
"""Shoe-sole defects with saliency maps: hooks keep the newest activation, and every few
steps the class scores are walked back one by one for the QA screen."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

DEFECTS = 3


class SoleNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.grain = nn.Conv2d(1, 6, 3, padding=1)
        self.shape = nn.Conv2d(6, 8, 3, padding=1, stride=2)
        self.verdict = nn.Linear(8, DEFECTS)

    def forward(self, x):
        z = F.relu(self.shape(F.relu(self.grain(x))))
        return self.verdict(z.mean((2, 3)))


class Saliency:
    def __init__(self, net):
        self.activation = None
        net.shape.register_forward_hook(self._note)
        self.screen = deque(maxlen=5)

    def _note(self, module, args, out):
        self.activation = out

    def show(self, scores):
        """One map per defect class, from one forward pass."""
        maps = []
        for c in range(DEFECTS):
            last = c == DEFECTS - 1
            (g,) = torch.autograd.grad(scores[:, c].sum(), self.activation, retain_graph=not last)
            maps.append(F.relu((g.mean((2, 3), keepdim=True) * self.activation.detach()).sum(1)))
        self.screen.append(torch.stack(maps, 1))


def soles(n=10, side=8):
    kind = torch.randint(0, DEFECTS, (n,))
    img = 0.3 * torch.randn(n, 1, side, side)
    for i, k in enumerate(kind.tolist()):
        if k == 1:
            img[i, 0, 3] += 1.5
        elif k == 2:
            img[i, 0, 2:4, 5:7] += 2
    return img, kind


def main(steps=800):
    torch.manual_seed(42)
    net = SoleNet()
    qa = Saliency(net)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    recent = deque(maxlen=10)
    for k in range(steps):
        img, kind = soles()
        loss = F.cross_entropy(net(img), kind)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(loss)
        if k % 20 == 19:
            qa.show(net(img[:4]))
        if k % 100 == 99:
            mean = sum(r.item() for r in recent) / len(recent)
            print(k + 1, f"loss {mean:.3f}", "map peak", round(qa.screen[-1].max().item(), 3))


main()
