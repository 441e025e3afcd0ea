# gradwatch-corpus: kind=none
"""Two road-traffic tasks on one trunk. Conflicting gradients are projected
(PCGrad), and the weights are moved by hand with momentum."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class RoadNet(nn.Module):
    def __init__(self, n_in=10, width=28):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.speed = nn.Linear(width, 1)
        self.jam = nn.Linear(width, 1)
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        h = self.trunk(x)
        return self.speed(h).squeeze(1), self.jam(h).squeeze(1)


class LossScale:
    def __init__(self, decay=0.95):
        self.decay = decay
        self.ema = None

    def __call__(self, losses):
        current = torch.stack(losses).detach()
        self.ema = current if self.ema is None else self.decay * self.ema + (1 - self.decay) * current
        ratio = self.ema.mean() / self.ema
        return [l * r for l, r in zip(losses, ratio)]


def road_batch(n, w):
    x = torch.randn(n, 10)
    s = x @ w[0] + 0.3 * (x @ w[1]).pow(2)
    jam = (s + 0.5 * torch.randn(n) < 0).float()
    return x, s, jam


def flat_grads(net):
    return torch.cat([
        (p.grad if p.grad is not None else torch.zeros_like(p)).flatten().clone()
        for p in net.parameters()
    ])


def project(a, b):
    dot = torch.dot(a, b)
    if dot < 0:
        a = a - dot / b.pow(2).sum().clamp_min(1e-12) * b
    return a


def apply_update(net, flat, velocity, lr, momentum=0.9):
    velocity.mul_(momentum).add_(flat)
    offset = 0
    with torch.no_grad():
        for p in net.parameters():
            k = p.numel()
            p -= lr * velocity[offset:offset + k].view_as(p)
            offset += k


def main():
    torch.manual_seed(44)
    w = torch.randn(2, 10) / 10 ** 0.5
    net = RoadNet()
    scale = LossScale()
    velocity = torch.zeros(sum(p.numel() for p in net.parameters()))
    conflicts = 0
    smooth = None

    for step in range(700):
        x, s, jam = road_batch(48, w)
        speed, logit = net(x)
        raw = [F.smooth_l1_loss(speed, s), F.binary_cross_entropy_with_logits(logit, jam)]
        scaled = scale(raw)
        losses = [torch.exp(-net.log_var[k]) * scaled[k] + net.log_var[k] for k in range(2)]

        net.zero_grad()
        losses[0].backward(retain_graph=True)
        g0 = flat_grads(net)
        net.zero_grad()
        losses[1].backward()
        g1 = flat_grads(net)

        if torch.dot(g0, g1) < 0:
            conflicts += 1
        apply_update(net, project(g0, g1) + project(g1, g0), velocity, lr=0.01)

        now = torch.stack(raw).detach()
        smooth = now if smooth is None else smooth + 0.05 * (now - smooth)
        if step % 100 == 0:
            print(f"step {step} speed {smooth[0]:.3f} jam {smooth[1]:.3f} conflicts {conflicts}")


if __name__ == "__main__":
    main()
