# gradwatch-corpus: kind=graph-held
# holder: self.layer.weight._backward_hooks | monitor.layer.weight._backward_hooks | model.trunk.weight._backward_hooks | net.shared.weight._backward_hooks | _on_grad | task_losses | self.layer.weight | net.shared.weight
# first-bad: 1
"""Power, temperature and vibration of a wind turbine from one SCADA vector. Homoscedastic
uncertainty weights (Kendall et al.), with a look at how each task pulls on the shared layer."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

TASKS = ("power", "temp", "vibration")


class TurbineNet(nn.Module):
    def __init__(self, d_in=18, d=40):
        super().__init__()
        self.pre = nn.Linear(d_in, d)
        self.shared = nn.Linear(d, d)
        self.heads = nn.ModuleDict({t: nn.Linear(d, 1) for t in TASKS})

    def forward(self, x):
        z = torch.relu(self.shared(torch.relu(self.pre(x))))
        return {t: h(z).squeeze(-1) for t, h in self.heads.items()}


class UncertaintyWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_var = nn.ParameterDict({t: nn.Parameter(torch.zeros(())) for t in TASKS})

    def forward(self, losses):
        out = 0.0
        for t, l in losses.items():
            s = self.log_var[t]
            out = out + 0.5 * torch.exp(-s) * l + 0.5 * s
        return out

    def sigmas(self):
        return {t: math.exp(0.5 * s.item()) for t, s in self.log_var.items()}


class PullMonitor:
    """Gradient norm at the shared layer, relative to each task's current loss."""

    def __init__(self, layer, names):
        self.layer = layer
        self.pull = dict.fromkeys(names, 0.0)
        self.norm = 0.0

    def watch(self, task_losses):
        def _on_grad(grad):
            self.norm = grad.norm().item()
            for name, value in task_losses.items():
                self.pull[name] = self.norm / (value.item() + 1e-6)

        self.layer.weight.register_hook(_on_grad)  # <- culprit

    def __str__(self):
        rel = " ".join(f"{k}:{v:.2f}" for k, v in self.pull.items())
        return f"|g|={self.norm:.3f} {rel}"


def scada(seed, batch=48):
    g = torch.Generator().manual_seed(seed)
    mix = torch.randn(18, 3, generator=g) / 18 ** 0.5
    noise = torch.tensor([0.05, 0.3, 0.8])
    while True:
        x = torch.randn(batch, 18, generator=g)
        y = torch.tanh(x @ mix) + noise * torch.randn(batch, 3, generator=g)
        yield x, dict(zip(TASKS, y.unbind(1)))


def main(n_steps=320):
    torch.manual_seed(101)
    net, weights = TurbineNet(), UncertaintyWeights()
    opt = torch.optim.Adam([
        {"params": net.parameters(), "lr": 2e-3},
        {"params": weights.parameters(), "lr": 1e-2},
    ])
    monitor = PullMonitor(net.shared, TASKS)

    for step, (x, y) in zip(range(1, n_steps + 1), scada(5)):
        pred = net(x)
        losses = {t: F.mse_loss(pred[t], y[t]) for t in TASKS}
        monitor.watch(losses)
        loss = weights(losses)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 80 == 0:
            print(step, f"{loss.item():.4f}", monitor)
    print("sigma:", {k: round(v, 3) for k, v in weights.sigmas().items()})


if __name__ == "__main__":
    main()
