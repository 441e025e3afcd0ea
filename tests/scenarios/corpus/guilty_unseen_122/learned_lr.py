# gradwatch-corpus: kind=graph-chain
# holder: self.w | learner.w | w
# first-bad: 1
# notice: 5
"""
Meta-learning per-coordinate step sizes for a softmax regression.
Research sandbox, see notes in the paper draft (Sec. 4.1).
"""
import torch
import torch.nn.functional as F

torch.set_num_threads(1)


class StepSizes(torch.nn.Module):
    def __init__(self, shapes, init=-2.5):
        super().__init__()
        self.logs = torch.nn.ParameterList([torch.nn.Parameter(torch.full(s, init)) for s in shapes])

    def forward(self, grads):
        return [lg.exp() * g for lg, g in zip(self.logs, grads)]


class Learner:
    def __init__(self, d, c):
        self.w = [
            (0.1 * torch.randn(d, c)).requires_grad_(),
            torch.zeros(c, requires_grad=True),
        ]

    def nll(self, x, y):
        return F.cross_entropy(x @ self.w[0] + self.w[1], y)

    def inner(self, rule, x, y):
        grads = torch.autograd.grad(self.nll(x, y), self.w, create_graph=True)
        self.w = [w - s for w, s in zip(self.w, rule(grads))]  # <- culprit


def drift_stream(d, c, steps):
    truth = torch.randn(d, c)
    for _ in range(steps):
        truth = truth + 0.05 * torch.randn(d, c)
        x = torch.randn(24, d)
        y = (x @ truth).argmax(-1)
        yield (x[:12], y[:12]), (x[12:], y[12:])


def main(d=5, c=3, steps=170):
    torch.manual_seed(61)
    learner = Learner(d, c)
    rule = StepSizes([(d, c), (c,)])
    meta = torch.optim.Adam(rule.parameters(), lr=1e-2)
    track = []
    for t, (support, query) in enumerate(drift_stream(d, c, steps)):
        learner.inner(rule, *support)
        meta_loss = learner.nll(*query)
        meta.zero_grad()
        meta_loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
        meta.step()
        track.append(meta_loss.item())
        if t % 34 == 33:
            print(f"t={t + 1:3d} query nll {sum(track[-34:]) / 34:.3f} mean lr {rule.logs[0].exp().mean().item():.3f}")


if __name__ == "__main__":
    main()
