# gradwatch-corpus: kind=graph-chain
# holder: self.fast | self.fast["trunk"] | self.fast["head"] | self.fast["trunk"]["w"] | self.fast["trunk"]["b"] | self.fast["head"]["w"] | self.fast["head"]["b"] | self.fast[g] | self.fast[g][n] | learner.fast | learner.fast[g] | learner.fast[g][n] | learner.fast["trunk"] | learner.fast["head"] | learner.fast["trunk"]["w"] | learner.fast["trunk"]["b"] | learner.fast["head"]["w"] | learner.fast["head"]["b"] | new | new[g] | new[g][n]
# first-bad: 1
"""Learned per-tensor step sizes (meta-descent) on a drifting regression task."""
import torch
import torch.nn.functional as F

SHAPES = {
    "trunk": {"w": (16, 6), "b": (16,)},
    "head": {"w": (1, 16), "b": (1,)},
}


def flat(tree):
    return [(g, n, t) for g, sub in tree.items() for n, t in sub.items()]


def predict(tree, x):
    h = torch.tanh(F.linear(x, tree["trunk"]["w"], tree["trunk"]["b"]))
    return F.linear(h, tree["head"]["w"], tree["head"]["b"]).squeeze(-1)


class StepSizes(torch.nn.Module):
    def __init__(self, init=0.03):
        super().__init__()
        self.log_lr = torch.nn.ParameterDict({
            f"{g}_{n}": torch.nn.Parameter(torch.tensor(init).log())
            for g, sub in SHAPES.items() for n in sub
        })

    def rate(self, group, name):
        return self.log_lr[f"{group}_{name}"].exp()


class OnlineLearner:
    def __init__(self, rates):
        self.rates = rates
        self.fast = {
            g: {n: (0.3 * torch.randn(*s)).requires_grad_() for n, s in sub.items()}
            for g, sub in SHAPES.items()
        }

    def adapt(self, x, y):
        loss = F.mse_loss(predict(self.fast, x), y)
        entries = flat(self.fast)
        grads = torch.autograd.grad(loss, [t for _, _, t in entries], create_graph=True)
        new = {g: {} for g in self.fast}
        for (g, n, t), d in zip(entries, grads):
            new[g][n] = t - self.rates.rate(g, n) * d  # <- culprit
        self.fast = new  # <- culprit
        return loss.item()

    def evaluate(self, x, y):
        return F.mse_loss(predict(self.fast, x), y)


class DriftingTask:
    def __init__(self, seed=3):
        self.gen = torch.Generator().manual_seed(seed)
        self.coef = torch.randn(6, generator=self.gen)

    def draw(self, n=24):
        self.coef = self.coef + 0.01 * torch.randn(6, generator=self.gen)
        x = torch.randn(2 * n, 6, generator=self.gen)
        y = torch.sin(x @ self.coef)
        return (x[:n], y[:n]), (x[n:], y[n:])


def main():
    torch.manual_seed(11)
    rates = StepSizes()
    learner = OnlineLearner(rates)
    meta_opt = torch.optim.Adam(rates.parameters(), lr=5e-3)
    task = DriftingTask()
    for it in range(64):
        support, query = task.draw()
        inner = learner.adapt(*support)
        outer = learner.evaluate(*query)
        meta_opt.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(rates.parameters(), 1.0)
        meta_opt.step()
        if it % 16 == 0:
            lrs = {k: round(v.exp().item(), 4) for k, v in rates.log_lr.items()}
            print(f"[{it:02d}] inner {inner:.4f} outer {outer.item():.4f} lr {lrs}")


if __name__ == "__main__":
    main()
