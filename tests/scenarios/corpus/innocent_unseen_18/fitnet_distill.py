# gradwatch-corpus: kind=none
"""Feature distillation (FitNets-like) between two small conv nets on striped patches; intermediate maps are tapped by
forward hooks, and the last few teacher maps are kept for a relational term."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def patches(n, gen):
    y = torch.randint(4, (n,), generator=gen)
    g = torch.linspace(-1, 1, 12)
    yy, xx = torch.meshgrid(g, g, indexing="ij")
    ang = y.float()[:, None, None] * torch.pi / 4
    wave = torch.sin(9 * (xx * ang.cos() + yy * ang.sin()) + 6.28 * torch.rand(n, 1, 1, generator=gen))
    return (wave + 0.5 * torch.randn(n, 12, 12, generator=gen))[:, None], y


def convnet(w):
    return nn.Sequential(
        nn.Conv2d(1, w, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(w, 2 * w, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        nn.Flatten(), nn.Linear(8 * w, 4))


class Taps:
    def __init__(self):
        self.maps, self.handles = {}, []

    def on(self, net, prefix, layers):
        for i in layers:
            def keep(mod, args, out, key=f"{prefix}.{i}"):
                self.maps[key] = out
            self.handles.append(net[i].register_forward_hook(keep))
        return self

    def take(self):
        got, self.maps = self.maps, {}
        return got

    def off(self):
        while self.handles:
            self.handles.pop().remove()


class Distiller(nn.Module):
    LAYERS = (1, 4)

    def __init__(self, teacher, student, tw, sw):
        super().__init__()
        self.teacher, self.student = teacher.requires_grad_(False).eval(), student
        self.adapt = nn.ModuleList([nn.Conv2d(sw, tw, 1), nn.Conv2d(2 * sw, 2 * tw, 1)])
        self.taps = Taps().on(teacher, "t", self.LAYERS).on(student, "s", self.LAYERS)
        self.bank = deque(maxlen=6)

    def forward(self, x, y, T=3.0):
        soft = self.teacher(x)
        logits = self.student(x)
        maps = self.taps.take()
        ce = F.cross_entropy(logits, y)
        kd = F.kl_div((logits / T).log_softmax(1), (soft / T).log_softmax(1), log_target=True,
                      reduction="batchmean") * T * T
        hint = sum(F.mse_loss(a(maps[f"s.{i}"]), maps[f"t.{i}"]) for a, i in zip(self.adapt, self.LAYERS))
        parts = {"ce": ce, "kd": kd, "hint": hint}
        code = self.adapt[1](maps["s.4"]).mean((2, 3))
        own = maps["t.4"].mean((2, 3))
        if self.bank:
            bank = torch.cat(list(self.bank))
            parts["rel"] = F.mse_loss(F.normalize(code, dim=1) @ bank.T, F.normalize(own, dim=1) @ bank.T)
        self.bank.append(F.normalize(own, dim=1))
        return parts


def pretrain(net, gen, steps=120):
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for _ in range(steps):
        x, y = patches(32, gen)
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()
    return net


@torch.no_grad()
def accuracy(net, gen):
    x, y = patches(256, gen)
    return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    teacher = pretrain(convnet(12), gen)
    print("teacher", round(accuracy(teacher, gen), 3))
    d = Distiller(teacher, convnet(4), 12, 4)
    opt = torch.optim.SGD([p for p in d.parameters() if p.requires_grad], lr=0.05, momentum=0.9, nesterov=True)
    weights = dict(ce=1.0, kd=0.5, hint=0.3, rel=2.0)
    meters = {k: 0.0 for k in weights}
    for it in range(260):
        parts = d(*patches(32, gen))
        loss = sum(weights[k] * v for k, v in parts.items())
        opt.zero_grad()
        loss.backward()
        opt.step()
        for k, v in parts.items():
            meters[k] = 0.9 * meters[k] + 0.1 * v.item()
        if it % 65 == 0:
            print(it, {k: round(v, 4) for k, v in meters.items()})
    d.taps.off()
    print("student", round(accuracy(d.student, gen), 3))


if __name__ == "__main__":
    main()
