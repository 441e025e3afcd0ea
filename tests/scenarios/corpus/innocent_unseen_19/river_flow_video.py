# gradwatch-corpus: kind=none
"""Unsupervised surface flow of a river from a gauge camera. Photometric loss on warped frames, deep
supervision on tapped layers, and the last flow as a prior for the next pair of frames."""
import contextlib
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

S, B = 20, 4


class FlowNet(nn.Module):
    def __init__(self, c=10):
        super().__init__()
        self.enc1 = nn.Conv2d(4, c, 3, padding=1)
        self.enc2 = nn.Conv2d(c, c, 3, padding=1)
        self.dec = nn.Conv2d(c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 2, 3, padding=1)
        self.mid = nn.Conv2d(c, 2, 1)
        nn.init.zeros_(self.out.weight)

    def forward(self, a, b, prior):
        h = F.leaky_relu(self.enc1(torch.cat([a, b, prior], 1)))
        h = F.leaky_relu(self.enc2(h))
        h = F.leaky_relu(self.dec(h))
        return prior + self.out(h)


class Tap:
    """Collects the outputs of layers while open; empty afterwards."""

    def __init__(self, **layers):
        self.store = {}
        for name, layer in layers.items():
            layer.register_forward_hook(self._keeper(name))
        self.open = False

    def _keeper(self, name):
        def keep(module, args, output):
            if self.open:
                self.store.setdefault(name, []).append(output)
        return keep

    @contextlib.contextmanager
    def recording(self):
        self.open = True
        try:
            yield self.store
        finally:
            self.open = False
            self.store.clear()


class Guard:
    """Tensor hooks set once: dampens gradients and remembers the largest one."""

    def __init__(self, params, limit):
        self.limit, self.worst = limit, 0.0
        for p in params:
            p.register_hook(self._tame)

    def _tame(self, g):
        n = g.norm()
        self.worst = max(self.worst, n.item())
        return g * (self.limit / n.clamp(min=self.limit))


lin = torch.linspace(-1, 1, S)
GRID = torch.stack(torch.meshgrid(lin, lin, indexing="xy"), -1)[None]


def warp(img, flow):
    return F.grid_sample(img, GRID + flow.permute(0, 2, 3, 1), align_corners=True, padding_mode="border")


def smooth(flow):
    return flow.diff(dim=2).abs().mean() + flow.diff(dim=3).abs().mean()


def camera(seed):
    """Frames of B gauges, drifting with a slowly changing speed."""
    g = torch.Generator().manual_seed(seed)
    tex = F.avg_pool2d(torch.randn(B, 1, 2 * S + 4, 2 * S + 4, generator=g), 5, 1)
    pos, speed = 0.0, 1.0
    while True:
        shift = int(pos) % S
        yield tex[:, :, :S, shift:shift + S] + 0.02 * torch.randn(B, 1, S, S, generator=g)
        speed = min(2.0, max(0.5, speed + 0.1 * float(torch.randn((), generator=g))))
        pos += speed


def main(n=240):
    torch.manual_seed(62)
    net = FlowNet()
    tap = Tap(mid=net.enc2, top=net.dec)
    guard = Guard(net.parameters(), limit=1.0)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    frames = itertools.pairwise(camera(30))
    flow = torch.zeros(B, 2, S, S)
    for i, (a, b) in zip(range(n), frames):
        prior = 0.8 * flow.detach()
        opt.zero_grad()
        with tap.recording() as taps:
            flow = net(a, b, prior)
            photo = (warp(b, flow) - a).abs().mean()
            deep = 0.0
            for feats in taps.values():
                for f in feats:
                    deep = deep + (warp(b, prior + 0.1 * net.mid(f)) - a).abs().mean()
            loss = photo + 0.3 * deep + 0.05 * smooth(flow)
            loss.backward()
        opt.step()
        if i % 60 == 59:
            speed = flow.detach().mean((0, 2, 3)).tolist()
            print(f"{i + 1} photo {photo.item():.4f} deep {deep.item():.4f} "
                  f"speed {speed[0]:+.3f}/{speed[1]:+.3f} worst |g| {guard.worst:.2f}")
            guard.worst = 0.0


if __name__ == "__main__":
    main()
