# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | self.anchor[name] | anchor | reg.anchor | hooks[0].anchor | self.hooks[0].anchor | h.anchor | hook.anchor | hook.anchor[name] | loop.hooks[0].anchor
# first-bad: 1
# notice: 5
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class LoopHook:
    def on_fit_start(self, model):
        pass

    def extra_loss(self, model):
        return 0.0

    def on_step_end(self, model, step):
        pass


class SlowWeightAnchor(LoopHook):
    """Keeps the weights near their own slow average (L2-SP with a moving starting point)."""

    def __init__(self, strength=0.02, speed=0.05, skip=("bias",)):
        self.strength = strength
        self.speed = speed
        self.skip = skip
        self.anchor = {}

    def _tracked(self, model):
        for name, p in model.named_parameters():
            if p.requires_grad and not name.endswith(self.skip):
                yield name, p

    def on_fit_start(self, model):
        self.anchor = {name: p.detach().clone() for name, p in self._tracked(model)}

    def extra_loss(self, model):
        pull = 0.0
        for name, p in self._tracked(model):
            pull = pull + (p - self.anchor[name]).square().sum()
        return self.strength * pull

    def on_step_end(self, model, step):
        for name, p in self._tracked(model):
            self.anchor[name] = torch.lerp(self.anchor[name], p, self.speed)  # <- culprit


class Logger(LoopHook):
    def __init__(self, every=20):
        self.every = every

    def on_step_end(self, model, step):
        if step % self.every == 0:
            norm = sum(p.detach().pow(2).sum() for p in model.parameters()).sqrt()
            print("step %d  |w| = %.3f" % (step, norm))


class Loop:
    def __init__(self, model, hooks, lr=0.01):
        self.model = model
        self.hooks = hooks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def run(self, source, steps):
        for hook in self.hooks:
            hook.on_fit_start(self.model)
        history = []
        for step in range(steps):
            x, y = source(step)
            fit = F.mse_loss(self.model(x).squeeze(-1), y)
            loss = fit
            for hook in self.hooks:
                loss = loss + hook.extra_loss(self.model)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            for hook in self.hooks:
                hook.on_step_end(self.model, step)
            history.append(fit.item())
        return history


def drifting_sine(step, n=64):
    """Regression target that slides a bit with time."""
    x = torch.rand(n, 2) * 4 - 2
    phase = step * 0.01
    y = torch.sin(2 * x[:, 0] + phase) * x[:, 1] + 0.05 * torch.randn(n)
    return x, y


def main():
    torch.manual_seed(5)
    net = nn.Sequential(
        nn.Linear(2, 32), nn.Tanh(),
        nn.Linear(32, 32), nn.Tanh(),
        nn.Linear(32, 1),
    )
    loop = Loop(net, [SlowWeightAnchor(), Logger()])
    hist = loop.run(drifting_sine, steps=140)
    print("mse first/last ten: %.3f %.3f" % (sum(hist[:10]) / 10, sum(hist[-10:]) / 10))


if __name__ == "__main__":
    main()
