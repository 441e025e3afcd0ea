# gradwatch-corpus: kind=graph-chain
# holder: theta | inner.theta | self.theta
# first-bad: 1
"""Meta-learn per-layer step sizes by differentiating through an inner SGD step."""
import torch
import torch.nn.functional as F

torch.manual_seed(21)


def sample_task(n=24):
    amp = torch.rand(1) * 2 + 0.5
    phase = torch.rand(1) * 3.14
    x = torch.rand(n, 1) * 6 - 3
    return x, amp * torch.sin(x + phase)


class InnerLearner:
    """A two-layer regressor whose weights are plain tensors."""

    def __init__(self, hidden=24):
        shapes = [(hidden, 1), (hidden,), (1, hidden), (1,)]
        self.theta = [torch.randn(s) * 0.3 for s in shapes]
        for t in self.theta:
            t.requires_grad_()

    def predict(self, x, theta=None):
        w1, b1, w2, b2 = self.theta if theta is None else theta
        return F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2)

    def adapt(self, x, y, log_lr):
        fit = F.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(fit, self.theta, create_graph=True)
        rates = log_lr.exp()
        self.theta = [  # <- culprit
            t - rates[i] * g for i, (t, g) in enumerate(zip(self.theta, grads))  # <- culprit
        ]  # <- culprit
        return fit


def run(steps=400, task_len=100):
    inner = InnerLearner()
    log_lr = torch.full((4,), -4.0, requires_grad=True)
    meta_opt = torch.optim.SGD([log_lr], lr=1e-3)
    x, y = sample_task()
    log = []
    for it in range(steps):
        if it and it % task_len == 0:
            x, y = sample_task()
        support, query = slice(0, 12), slice(12, 24)
        fit = inner.adapt(x[support], y[support], log_lr)
        meta_loss = F.mse_loss(inner.predict(x[query]), y[query])

        meta_opt.zero_grad()
        meta_loss.backward(inputs=[log_lr], retain_graph=True)
        torch.nn.utils.clip_grad_norm_([log_lr], 1.0)
        meta_opt.step()
        with torch.no_grad():
            log_lr.clamp_(-8.0, -2.0)

        log.append((fit.item(), meta_loss.item()))
        if it % 25 == 24:
            f = sum(a for a, _ in log[-25:]) / 25
            q = sum(b for _, b in log[-25:]) / 25
            print(f"{it + 1:4d} support {f:.4f} query {q:.4f} lr {log_lr.exp().tolist()[0]:.4f}")


if __name__ == "__main__":
    run()
