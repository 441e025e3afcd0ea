# gradwatch-corpus: kind=none
# Multi-task greenhouse model (yield, disease, ripening day) with GradNorm-style
# task weights, validation metrics per epoch and best-state early stopping.
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

TASKS = ["yield", "disease", "ripe"]


def make_split(n, gen):
    x = torch.randn(n, 14, generator=gen)
    heat, wet = x[:, :4].mean(1), x[:, 4:8].mean(1)
    return {
        "x": x,
        "yield": 2 * heat - wet ** 2 + 0.1 * torch.randn(n, generator=gen),
        "disease": ((wet + 0.5 * heat) > 0.3).float(),
        "ripe": torch.bucketize(heat + 0.1 * torch.randn(n, generator=gen), torch.tensor([-0.4, 0.0, 0.4])),
    }


def batches(split, size, shuffle=True):
    order = torch.randperm(len(split["x"])) if shuffle else torch.arange(len(split["x"]))
    for idx in order.split(size):
        yield {k: v[idx] for k, v in split.items()}


class MultiHead(nn.Module):
    def __init__(self, n_in=14, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.SiLU())
        self.shared = nn.Linear(width, width)
        self.heads = nn.ModuleDict({"yield": nn.Linear(width, 1), "disease": nn.Linear(width, 1),
                                    "ripe": nn.Linear(width, 4)})

    def forward(self, x):
        h = F.silu(self.shared(self.trunk(x)))
        return {k: head(h).squeeze(-1) for k, head in self.heads.items()}


def task_losses(out, b):
    return torch.stack([F.mse_loss(out["yield"], b["yield"]),
                        F.binary_cross_entropy_with_logits(out["disease"], b["disease"]),
                        F.cross_entropy(out["ripe"], b["ripe"])])


class TaskBalancer:
    """Trains one weight per task so that the tasks' gradient norms on the shared layer keep pace."""

    def __init__(self, shared, alpha=0.5, lr=0.02):
        self.w = nn.Parameter(torch.ones(len(TASKS)))
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.shared, self.alpha, self.first = shared, alpha, None

    def backward(self, losses):
        if self.first is None:
            self.first = losses.detach().clone()
        norms = []
        for wi, li in zip(self.w, losses):
            g, = torch.autograd.grad(li, self.shared.weight, retain_graph=True)
            norms.append(wi * g.norm())
        norms = torch.stack(norms)
        pace = losses.detach() / self.first
        goal = (norms.mean() * (pace / pace.mean()) ** self.alpha).detach()
        self.opt.zero_grad()
        (norms - goal).abs().sum().backward(retain_graph=True)
        (self.w.detach() * losses).sum().backward()
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(len(TASKS) / self.w.sum())


@torch.no_grad()
def validate(model, split):
    collected = {"loss": [], "mae": [], "acc_disease": [], "acc_ripe": []}
    for b in batches(split, 100, shuffle=False):
        out = model(b["x"])
        collected["loss"].append(task_losses(out, b).sum())
        collected["mae"].append((out["yield"] - b["yield"]).abs().mean())
        collected["acc_disease"].append(((out["disease"] > 0) == b["disease"].bool()).float().mean())
        collected["acc_ripe"].append((out["ripe"].argmax(1) == b["ripe"]).float().mean())
    return {k: torch.stack(v).mean() for k, v in collected.items()}


def main():
    random.seed(9)
    torch.manual_seed(9)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(9)
    train, val = make_split(1280, gen), make_split(400, gen)
    model = MultiHead()
    balancer = TaskBalancer(model.shared)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    best, best_state, bad, metrics_per_epoch = float("inf"), None, 0, []
    for epoch in range(12):
        model.train()
        epoch_losses = []
        for b in batches(train, 32):
            losses = task_losses(model(b["x"]), b)
            opt.zero_grad()
            balancer.backward(losses)
            opt.step()
            epoch_losses.append(losses.detach())
        model.eval()
        metrics = validate(model, val)
        metrics_per_epoch.append(metrics)
        mean = torch.stack(epoch_losses).mean(0).tolist()
        print(f"epoch {epoch:2d} train " + " ".join(f"{t} {v:.3f}" for t, v in zip(TASKS, mean)) + " | "
              + " ".join(f"{k} {v:.3f}" for k, v in metrics.items())
              + " | w " + " ".join(f"{v:.2f}" for v in balancer.w.tolist()))
        if metrics["loss"] < best:
            best, bad = metrics["loss"].item(), 0
            best_state = copy.deepcopy(model.state_dict())
        else:
            bad += 1
            if bad == 3:
                break
    model.load_state_dict(best_state)
    print(f"best {best:.4f} after {len(metrics_per_epoch)} epochs; final {validate(model, val)['loss']:.4f}")


if __name__ == "__main__":
    main()
