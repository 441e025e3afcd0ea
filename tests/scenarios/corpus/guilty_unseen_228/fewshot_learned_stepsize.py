# gradwatch-corpus: kind=graph-chain
# holder: self.weights | learner.weights
# first-bad: 1
"""Per-layer step sizes learned online (hypergradient) for a drifting sensor calibration."""
import torch
import torch.nn.functional as F


class DriftingSensor:
    def __init__(self, n_channels, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.true_w = torch.randn(n_channels, 2, generator=self.gen)
        self.n_channels = n_channels

    def draw(self, n):
        self.true_w += 0.01 * torch.randn(self.true_w.shape, generator=self.gen)
        x = torch.randn(n, self.n_channels, generator=self.gen)
        y = torch.tanh(x @ self.true_w)
        return x, y + 0.05 * torch.randn(y.shape, generator=self.gen)


class StepSizeLearner:
    def __init__(self, n_channels, hidden=16):
        self.weights = [
            (torch.randn(n_channels, hidden) / n_channels ** 0.5).requires_grad_(),
            (torch.randn(hidden, 2) / hidden ** 0.5).requires_grad_(),
        ]
        self.log_steps = torch.full((2,), -3.0, requires_grad=True)
        self.meta_opt = torch.optim.Adam([self.log_steps], lr=0.02)

    def predict(self, weights, x):
        h = torch.tanh(x @ weights[0])
        return torch.tanh(h @ weights[1])

    def adapt(self, x, y):
        support_loss = F.mse_loss(self.predict(self.weights, x), y)
        grads = torch.autograd.grad(support_loss, self.weights, create_graph=True)
        steps = self.log_steps.exp()
        adapted = []
        for i, (w, g) in enumerate(zip(self.weights, grads)):
            adapted.append(w - steps[i] * g)
        return adapted, support_loss.item()

    def meta_step(self, support, query):
        adapted, before = self.adapt(*support)
        query_loss = F.mse_loss(self.predict(adapted, query[0]), query[1])
        (hyper,) = torch.autograd.grad(query_loss, [self.log_steps], retain_graph=True)  # <- culprit
        self.meta_opt.zero_grad()
        self.log_steps.grad = hyper.clamp(-1.0, 1.0)
        self.meta_opt.step()
        self.weights = adapted  # <- culprit
        return before, query_loss.item()


def main():
    torch.manual_seed(21)
    sensor = DriftingSensor(n_channels=12, seed=21)
    learner = StepSizeLearner(n_channels=12)
    running = None
    for t in range(70):
        support = sensor.draw(32)
        query = sensor.draw(32)
        before, after = learner.meta_step(support, query)
        running = after if running is None else 0.9 * running + 0.1 * after
        if t % 10 == 9:
            steps = [round(s, 4) for s in learner.log_steps.exp().tolist()]
            print(f"t={t + 1} support={before:.4f} query={after:.4f} avg={running:.4f} steps={steps}")


if __name__ == "__main__":
    main()
