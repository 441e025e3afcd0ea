# gradwatch-corpus: kind=none
"""Full second-order meta learning of a classifier's initial weights and step sizes."""
import torch
import torch.nn.functional as F
from torch import nn


def few_shot_batch(ways, shots, dim, gen):
    proto = torch.randn(ways, dim, generator=gen)
    warp = torch.eye(dim) + 0.3 * torch.randn(dim, dim, generator=gen)

    def draw(n):
        y = torch.arange(ways).repeat_interleave(n)
        x = proto[y] + 0.6 * torch.randn(len(y), dim, generator=gen)
        return x @ warp, y

    return draw(shots), draw(8)


class MetaNet(nn.Module):
    def __init__(self, dim, hidden, ways, alpha=0.1):
        super().__init__()
        self.w = nn.ParameterDict({
            "w1": nn.Parameter(torch.randn(hidden, dim) / dim ** 0.5),
            "b1": nn.Parameter(torch.zeros(hidden)),
            "w2": nn.Parameter(torch.randn(ways, hidden) / hidden ** 0.5),
            "b2": nn.Parameter(torch.zeros(ways)),
        })
        self.log_alpha = nn.ParameterDict(
            {k: nn.Parameter(torch.full((), alpha).log()) for k in self.w})

    @staticmethod
    def apply_weights(w, x):
        return F.linear(torch.tanh(F.linear(x, w["w1"], w["b1"])), w["w2"], w["b2"])

    def inner(self, x, y, steps):
        fast = dict(self.w.items())
        path = []
        for _ in range(steps):
            loss = F.cross_entropy(self.apply_weights(fast, x), y)
            grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
            fast = {k: v - self.log_alpha[k].exp() * g
                    for (k, v), g in zip(fast.items(), grads)}
            path.append(fast)
        return path


class Progress:
    def __init__(self, beta=0.9):
        self.beta = beta
        self.value = None
        self.best = float("inf")
        self.best_weights = None

    def see(self, loss, net):
        x = loss.detach()
        self.value = x if self.value is None else self.beta * self.value + (1 - self.beta) * x
        if self.value < self.best:
            self.best = float(self.value)
            self.best_weights = {k: v.detach().clone() for k, v in net.state_dict().items()}


def main(iterations=75, tasks=4, inner_steps=3):
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(41)
    net = MetaNet(dim=10, hidden=24, ways=4)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    progress = Progress()
    for it in range(iterations):
        anneal = max(0.0, 1 - it / 60)
        total = torch.zeros(())
        hits = 0.0
        for _ in range(tasks):
            (xs, ys), (xq, yq) = few_shot_batch(4, 2, 10, gen)
            path = net.inner(xs, ys, inner_steps)
            per_step = torch.stack([F.cross_entropy(net.apply_weights(w, xq), yq) for w in path])
            weights = torch.ones(inner_steps) * anneal / inner_steps
            weights[-1] += 1 - anneal
            total = total + (weights * per_step).sum()
            with torch.no_grad():
                hits += (net.apply_weights(path[-1], xq).argmax(1) == yq).float().mean().item()
        loss = total / tasks
        opt.zero_grad()
        loss.backward()
        opt.step()
        progress.see(loss, net)
        if it % 15 == 0:
            print(f"meta {it:3d} loss {progress.value:.3f} query acc {hits / tasks:.2f} "
                  f"alpha {net.log_alpha['w1'].exp().item():.3f}")


if __name__ == "__main__":
    main()
