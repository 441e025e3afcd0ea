# gradwatch-corpus: kind=none
"""Grasp quality regression with layered scopes of intermediate values."""
from collections import ChainMap

import torch
import torch.nn as nn


class Scopes:
    def __init__(self, levels, **base):
        self.levels = levels
        self.base = base
        self.chain = ChainMap(self.base)

    def push(self, **values):
        self.chain = self.chain.new_child(values)
        if len(self.chain.maps) > self.levels + 1:
            self.chain = ChainMap(*self.chain.maps[:self.levels], self.base)

    def __getitem__(self, name):
        return self.chain[name]

    def through(self, name):
        return [m[name] for m in self.chain.maps if name in m and m is not self.base]


class GraspNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.points = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 24))
        self.head = nn.Sequential(nn.Linear(24 + 4, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, cloud, grasp):
        z = self.points(cloud).amax(1)
        return self.head(torch.cat([z, grasp], -1)).squeeze(-1), z


def scene(gen, n=20, pts=16):
    size = 0.5 + torch.rand(n, 3, generator=gen)
    cloud = (torch.rand(n, pts, 3, generator=gen) - 0.5) * size[:, None]
    angle = 6.2832 * torch.rand(n, generator=gen)
    opening = 0.4 + torch.rand(n, generator=gen)
    height = torch.rand(n, generator=gen) - 0.5
    grasp = torch.stack([angle.cos(), angle.sin(), opening, height], -1)
    width = (size[:, 0] * angle.cos()).abs() + (size[:, 1] * angle.sin()).abs()
    quality = torch.tanh(2 * (opening - width)) - height.abs()
    return cloud, grasp, quality


def main():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    net = GraspNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    scopes = Scopes(levels=9, huber=0.5, decay=1e-3)
    for step in range(450):
        cloud, grasp, quality = scene(gen)
        pred, z = net(cloud, grasp)
        error = nn.functional.huber_loss(pred, quality, delta=scopes["huber"])
        loss = error + scopes["decay"] * z.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        values = {"error": error, "latent": z, "pred": pred}
        if step % 100 == 99:
            values["huber"] = max(0.1, scopes["huber"] * 0.8)
            scopes.base["huber"] = values.pop("huber")
        scopes.push(**values)
        if step % 75 == 74:
            recent = torch.stack([e.detach() for e in scopes.through("error")])
            norm = torch.stack([z.detach().norm(dim=-1).mean() for z in scopes.through("latent")])
            print(step + 1, f"error {recent.mean():.4f}±{recent.std():.4f} |z| {norm.mean():.2f} huber {scopes['huber']:.2f}")


if __name__ == "__main__":
    main()
