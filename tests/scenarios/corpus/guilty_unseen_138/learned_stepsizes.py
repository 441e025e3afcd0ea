# gradwatch-corpus: kind=graph-chain
# holder: theta | self.theta | task.theta | learner.theta
# first-bad: 1
# notice: 5
"""Meta-learning per-parameter step sizes for an online sine regressor (Meta-SGD flavoured)."""
import torch

torch.set_num_threads(1)
torch.manual_seed(88)

WIDTH = 10
SHAPES = [(1, WIDTH), (WIDTH,), (WIDTH, 1), (1,)]
SIZES = [int(torch.tensor(s).prod()) for s in SHAPES]


def unflatten(vec):
    return [chunk.view(s) for chunk, s in zip(vec.split(SIZES), SHAPES)]


def predict(vec, x):
    w1, b1, w2, b2 = unflatten(vec)
    return torch.tanh(x @ w1 + b1) @ w2 + b2


def sine_batch(phase, n=12):
    x = torch.rand(n, 1) * 6 - 3
    return x, torch.sin(x + phase)


class StepSizes(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.log_lr = torch.nn.Parameter(torch.full((n,), -4.0))

    def forward(self):
        return self.log_lr.exp()


class OnlineLearner:
    def __init__(self, rates):
        self.rates = rates
        self.theta = (0.4 * torch.randn(sum(SIZES))).requires_grad_(True)

    def adapt(self, x, y):
        err = (predict(self.theta, x) - y).pow(2).mean()
        (g,) = torch.autograd.grad(err, self.theta)
        self.theta = self.theta - self.rates() * g.clamp(-1, 1)  # <- culprit
        return err.item()

    def query(self, x, y):
        return (predict(self.theta, x) - y).pow(2).mean()


def main(meta_steps=260):
    rates = StepSizes(sum(SIZES))
    meta_opt = torch.optim.Adam(rates.parameters(), lr=0.01)
    learner = OnlineLearner(rates)
    phase = 0.0
    for k in range(meta_steps):
        phase += 0.01
        pre = learner.adapt(*sine_batch(phase))
        meta_loss = learner.query(*sine_batch(phase))
        meta_opt.zero_grad()
        meta_loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(rates.parameters(), 1.0)
        meta_opt.step()
        if k % 40 == 0:
            lr = rates().detach()
            print(f"{k:4d} support {pre:.4f} query {meta_loss.item():.4f} lr [{lr.min():.4f}, {lr.max():.4f}]")


if __name__ == "__main__":
    main()
