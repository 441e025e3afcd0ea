# gradwatch-corpus: kind=none
from collections import OrderedDict

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class GramLoss(nn.Module):
    """Transparent layer which remembers the loss of the last forward pass."""

    def __init__(self, weight):
        super().__init__()
        self.weight = weight
        self.target = None
        self.loss = None
        self.mode = "none"

    @staticmethod
    def gram(x):
        n, c, h, w = x.shape
        f = x.reshape(n * c, h * w)
        return f @ f.t() / f.numel()

    def forward(self, x):
        g = self.gram(x)
        if self.mode == "capture":
            self.target = g.detach()
        elif self.mode == "loss":
            self.loss = self.weight * F.mse_loss(g, self.target)
        return x


class TotalVariation(nn.Module):
    def __init__(self, strength):
        super().__init__()
        self.strength, self.loss = strength, None

    def forward(self, x):
        self.loss = self.strength * ((x[..., 1:] - x[..., :-1]).abs().mean()
                                     + (x[..., 1:, :] - x[..., :-1, :]).abs().mean())
        return x


def build():
    torch.manual_seed(4)
    layers = OrderedDict()
    layers["tv"] = TotalVariation(1e-3)
    cin = 3
    for k, c in enumerate((8, 12, 16)):
        layers[f"conv{k}"] = nn.Conv2d(cin, c, 3, padding=1)
        layers[f"act{k}"] = nn.Softplus()
        layers[f"gram{k}"] = GramLoss(1e3)
        cin = c
    net = nn.Sequential(layers)
    for p in net.parameters():
        p.requires_grad_(False)
    return net


def loss_layers(net):
    return [m for m in net if hasattr(m, "loss")]


def set_mode(net, mode):
    for m in net:
        if isinstance(m, GramLoss):
            m.mode = mode


def synthesise(net, reference, steps=60):
    set_mode(net, "capture")
    net(reference)
    set_mode(net, "loss")
    image = torch.rand_like(reference).requires_grad_(True)
    opt = torch.optim.LBFGS([image], lr=0.7, max_iter=3, history_size=10, tolerance_grad=0, tolerance_change=0)
    calls, curve, frames = 0, [], []
    best = (float("inf"), None)
    for step in range(steps):
        def closure():
            nonlocal calls
            calls += 1
            opt.zero_grad()
            net(image)
            loss = sum(m.loss for m in loss_layers(net))
            loss.backward()
            return loss

        loss = opt.step(closure)
        curve.append({type(m).__name__ + str(i): m.loss.item() for i, m in enumerate(loss_layers(net))})
        if loss < best[0]:
            best = (loss.detach(), image.detach().clone())
        if step % 20 == 0:
            frames.append(image.detach().clone())
            print(f"step {step} loss {loss.item():.5f} closures {calls}")
    return best[1].clamp(0, 1), curve, frames


def main():
    yy, xx = torch.meshgrid(torch.arange(24.0), torch.arange(24.0), indexing="ij")
    ref = torch.stack([(xx // 4 + yy // 4) % 2, (xx % 6) / 6, (yy % 5) / 5])[None]
    out, curve, frames = synthesise(build(), ref)
    print("mean", round(out.mean().item(), 3), "frames", len(frames), "terms", list(curve[-1]))


if __name__ == "__main__":
    main()
