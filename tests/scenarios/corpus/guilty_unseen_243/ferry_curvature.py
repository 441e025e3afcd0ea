# gradwatch-corpus: kind=graph-held
# holder: memo["slopes"] | self.state[p]["slopes"] | helm.state[p]["slopes"] | helm.state
# first-bad: 1
"""Ferry arrival delays with a diagonal-curvature optimizer (Hutchinson probes, after AdaHessian)."""
import torch
import torch.nn as nn


class HarbourFeed:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.routes = torch.randn(6, 4, generator=self.gen)

    def departures(self, count):
        route = torch.randint(0, 6, (count,), generator=self.gen)
        tide = torch.randn(count, 4, generator=self.gen)
        wind = torch.rand(count, 1, generator=self.gen)
        delay = (self.routes[route] * tide).sum(1) * wind.squeeze(1) + 0.5 * wind.squeeze(1) ** 2
        sight = torch.cat([nn.functional.one_hot(route, 6).float(), tide, wind], dim=1)
        return sight, delay


class DelayNet(nn.Module):
    def __init__(self, sight, width):
        super().__init__()
        self.deck = nn.Linear(sight, width)
        self.hold = nn.Linear(width, width)
        self.mast = nn.Linear(width, 1)

    def forward(self, sight):
        keel = torch.tanh(self.deck(sight))
        keel = keel + torch.tanh(self.hold(keel))
        return self.mast(keel).squeeze(1)


class CurvatureHelm(torch.optim.Optimizer):
    """Momentum divided by a running estimate of the Hessian's diagonal."""

    def __init__(self, params, lr=0.05, rudder=0.9, curb=0.97, eps=1e-2):
        super().__init__(params, dict(lr=lr, rudder=rudder, curb=curb, eps=eps))

    def leaves(self):
        for group in self.param_groups:
            for p in group["params"]:
                yield p

    def sound(self, loss):
        leaves = list(self.leaves())
        slopes = torch.autograd.grad(loss, leaves, create_graph=True)
        probes = [torch.randint_like(p, 0, 2) * 2 - 1 for p in leaves]
        bends = torch.autograd.grad(slopes, leaves, grad_outputs=probes)
        for p, slope, probe, bend in zip(leaves, slopes, probes, bends):
            memo = self.state[p]
            memo.setdefault("slopes", [])
            memo["slopes"].append(slope)  # <- culprit
            memo["bend"] = probe * bend

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                memo = self.state[p]
                if "way" not in memo:
                    memo["way"] = torch.zeros_like(p)
                    memo["stiffness"] = torch.ones_like(p)
                slope = memo["slopes"][-1]
                memo["way"].mul_(group["rudder"]).add_(slope, alpha=1 - group["rudder"])
                memo["stiffness"].mul_(group["curb"]).add_(memo["bend"].abs(), alpha=1 - group["curb"])
                p.addcdiv_(memo["way"], memo["stiffness"].sqrt() + group["eps"], value=-group["lr"])


class SlackTide:
    """Lowers the step once the last few losses stop falling."""

    def __init__(self, helm, patience=15, factor=0.6):
        self.helm = helm
        self.patience = patience
        self.factor = factor
        self.best = float("inf")
        self.stale = 0

    def watch(self, value):
        if value < self.best:
            self.best = value
            self.stale = 0
            return
        self.stale += 1
        if self.stale >= self.patience:
            self.stale = 0
            for group in self.helm.param_groups:
                group["lr"] *= self.factor


def main():
    torch.manual_seed(17)
    feed = HarbourFeed(2)
    net = DelayNet(11, 48)
    helm = CurvatureHelm(net.parameters())
    slack = SlackTide(helm)
    for crossing in range(120):
        sight, delay = feed.departures(64)
        loss = nn.functional.huber_loss(net(sight), delay)
        helm.sound(loss)
        helm.step()
        slack.watch(loss.item())
        if crossing % 30 == 0:
            print(f"crossing {crossing:3d} loss {loss.item():.4f} lr {helm.param_groups[0]['lr']:.4f}")
    jitter = torch.stack([s.detach().norm() for s in helm.state[net.mast.weight]["slopes"]])
    print(f"slope norm of mast: mean {jitter.mean():.4f} std {jitter.std():.4f}")


if __name__ == "__main__":
    main()
