# gradwatch-corpus: kind=second-backward
# holder: runner.outputs["losses"][k] | runner.outputs["losses"] | runner.outputs | self.outputs["losses"] | self.outputs | losses | losses[k] | self.outputs["loss"] | term | loss | runner.outputs["loss"] | runner.outputs["losses"]["ce"]
# first-bad: 11
# notice: 0
"""Segmentation with a cross-entropy, a Dice and a boundary term, run by a small hook-based runner."""
import torch
import torch.nn as nn
import torch.nn.functional as F

HOOKS = {}


def register_hook(cls):
    HOOKS[cls.__name__] = cls
    return cls


class Hook:
    every = 1

    def before_run(self, runner):
        pass

    def before_iter(self, runner):
        pass

    def after_backward(self, runner):
        pass

    def after_iter(self, runner):
        pass

    def due(self, runner):
        return (runner.iter + 1) % self.every == 0


@register_hook
class OptimizerHook(Hook):
    def __init__(self, max_norm=None):
        self.max_norm = max_norm

    def after_iter(self, runner):
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()  # <- culprit
        runner.call("after_backward")
        if self.max_norm:
            nn.utils.clip_grad_norm_(runner.model.parameters(), self.max_norm)
        runner.optimizer.step()


@register_hook
class PolyLrHook(Hook):
    def __init__(self, power=0.9):
        self.power = power

    def before_run(self, runner):
        self.base = [g["lr"] for g in runner.optimizer.param_groups]

    def before_iter(self, runner):
        f = (1 - runner.iter / runner.max_iters) ** self.power
        for g, lr in zip(runner.optimizer.param_groups, self.base):
            g["lr"] = lr * f


@register_hook
class TextLoggerHook(Hook):
    def __init__(self, every=10):
        self.every = every

    def after_iter(self, runner):
        if self.due(runner):
            terms = " ".join(f"{k} {v.item():.3f}" for k, v in runner.outputs["losses"].items())
            print(f"iter {runner.iter + 1} {terms}")


@register_hook
class GradConflictHook(Hook):
    """Cosine between the gradients of every pair of terms at the last shared layer."""

    def __init__(self, every=12):
        self.every = every

    def after_backward(self, runner):
        if not self.due(runner):
            return
        shared = runner.model.shared.weight
        rows = []
        for k, term in runner.outputs["losses"].items():
            (g,) = torch.autograd.grad(term, shared, retain_graph=True)  # <- culprit
            rows.append(F.normalize(g.flatten(), dim=0))
        cos = torch.stack(rows) @ torch.stack(rows).t()
        print("conflict", [round(v, 2) for v in cos[~torch.eye(len(rows), dtype=torch.bool)].tolist()])


class SegNet(nn.Module):
    def __init__(self, classes=3, w=12):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, w, 3, 2, 1), nn.BatchNorm2d(w), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(w, w, 3, 1, 2, dilation=2), nn.BatchNorm2d(w), nn.ReLU())
        self.shared = nn.Conv2d(w, w, 3, padding=1)
        self.cls = nn.Conv2d(w, classes, 1)

    def forward(self, x):
        f = torch.relu(self.shared(self.mid(self.down(x))))
        return F.interpolate(self.cls(f), scale_factor=2, mode="bilinear", align_corners=False)

    def train_step(self, x, y):
        logits = self(x)
        prob = logits.softmax(1)
        onehot = F.one_hot(y, logits.size(1)).permute(0, 3, 1, 2).float()
        inter = (prob * onehot).sum((0, 2, 3))
        dice = 1 - (2 * inter / (prob.sum((0, 2, 3)) + onehot.sum((0, 2, 3)) + 1e-5)).mean()
        edge = (F.max_pool2d(onehot, 3, 1, 1) - onehot).amax(1)
        ce_map = F.cross_entropy(logits, y, reduction="none")
        losses = {"ce": ce_map.mean(), "dice": dice, "edge": (ce_map * edge).sum() / edge.sum().clamp(min=1)}
        return {"losses": losses, "loss": losses["ce"] + losses["dice"] + 0.3 * losses["edge"]}


class Runner:
    def __init__(self, model, optimizer, loader, max_iters, hooks):
        self.model, self.optimizer, self.loader, self.max_iters = model, optimizer, loader, max_iters
        self.hooks = [HOOKS[h.pop("type")](**h) for h in hooks]
        self.iter, self.outputs = 0, {}

    def call(self, stage):
        for h in self.hooks:
            getattr(h, stage)(self)

    def run(self):
        self.call("before_run")
        while self.iter < self.max_iters:
            self.call("before_iter")
            self.outputs = self.model.train_step(*next(self.loader))
            self.call("after_iter")
            self.iter += 1


def blobs(batch, size=24):
    g = torch.arange(size).float()
    while True:
        y = torch.zeros(batch, size, size, dtype=torch.long)
        for c in (1, 2):
            cx, cy = torch.randint(4, size - 4, (2, batch, 1, 1)).float()
            y[((g[None, None, :] - cx) ** 2 + (g[None, :, None] - cy) ** 2) < 20] = c
        yield (y.float() + 0.4 * torch.randn(batch, size, size)).unsqueeze(1), y


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(4)
    net = SegNet()
    sgd = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    Runner(net, sgd, blobs(6), 60, [
        dict(type="PolyLrHook"), dict(type="OptimizerHook", max_norm=5.0),
        dict(type="TextLoggerHook"), dict(type="GradConflictHook"),
    ]).run()
