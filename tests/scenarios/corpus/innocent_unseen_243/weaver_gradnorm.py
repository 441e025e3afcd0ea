# gradwatch-corpus: kind=none
"""Loom control with three tasks; the task weights are balanced by gradient norms (GradNorm)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

LOOM = {"threads": 14, "width": 48, "tasks": ("tension", "hue", "knot"), "alpha": 1.2, "picks": 100}


class Workshop:
    def __init__(self, threads):
        self.maps = {
            "tension": torch.randn(threads, 1) * 0.3,
            "hue": torch.randn(threads, 3),
            "knot": torch.randn(threads, 4),
        }
        self.threads = threads

    def pick(self, count):
        warp = torch.randn(count, self.threads)
        goal = {
            "tension": torch.tanh(warp @ self.maps["tension"]),
            "hue": torch.sin(warp @ self.maps["hue"]),
            "knot": (warp @ self.maps["knot"]).argmax(1),
        }
        return warp, goal


class Loom(nn.Module):
    def __init__(self, threads, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(threads, width), nn.ReLU(), nn.Linear(width, width))
        self.arms = nn.ModuleDict({"tension": nn.Linear(width, 1), "hue": nn.Linear(width, 3), "knot": nn.Linear(width, 4)})

    def forward(self, warp):
        cloth = torch.relu(self.trunk(warp))
        return {name: arm(cloth) for name, arm in self.arms.items()}

    def shared(self):
        return self.trunk[-1].weight


def task_losses(out, goal):
    return torch.stack(
        [
            F.mse_loss(out["tension"], goal["tension"]),
            F.mse_loss(out["hue"], goal["hue"]),
            F.cross_entropy(out["knot"], goal["knot"]),
        ]
    )


class Balancer:
    def __init__(self, tasks, alpha, lr=0.02):
        self.weight = nn.Parameter(torch.ones(tasks))
        self.alpha = alpha
        self.opt = torch.optim.Adam([self.weight], lr=lr)
        self.start = None

    def grads(self, losses, shared):
        if self.start is None:
            self.start = losses.detach()
        norms = []
        for k in range(losses.numel()):
            slope, = torch.autograd.grad(self.weight[k] * losses[k], shared, create_graph=True)
            norms.append(slope.norm())
        norms = torch.stack(norms)
        pace = losses.detach() / self.start
        target = norms.detach().mean() * (pace / pace.mean()) ** self.alpha
        return (norms - target).abs().sum()

    def update(self, mismatch):
        slope, = torch.autograd.grad(mismatch, self.weight)
        self.weight.grad = slope

    def renormalise(self):
        self.opt.step()
        with torch.no_grad():
            self.weight.mul_(self.weight.numel() / self.weight.sum())


def main():
    torch.manual_seed(1801)
    workshop = Workshop(LOOM["threads"])
    loom = Loom(LOOM["threads"], LOOM["width"])
    balancer = Balancer(len(LOOM["tasks"]), LOOM["alpha"])
    shuttle = torch.optim.Adam(loom.parameters(), lr=2e-3)
    for number in range(LOOM["picks"]):
        warp, goal = workshop.pick(64)
        losses = task_losses(loom(warp), goal)
        total = (balancer.weight.detach() * losses).sum()
        shuttle.zero_grad()
        total.backward(retain_graph=True)
        balancer.update(balancer.grads(losses, loom.shared()))
        shuttle.step()
        balancer.renormalise()
        if number % 20 == 0:
            shares = [round(w, 3) for w in balancer.weight.tolist()]
            print(f"pick {number} total {total.item():.3f} weights {shares}")


if __name__ == "__main__":
    main()
