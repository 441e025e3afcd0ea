import torch
import torch.nn.functional as F


class MetaLearner:
    def __init__(self, hidden=24, inner_steps=3):
        g = torch.Generator().manual_seed(1)

        def w(o, i):
            return (torch.randn(o, i, generator=g) / i ** 0.5).requires_grad_()

        self.weights = {
            "w0": w(hidden, 1), "b0": torch.zeros(hidden, requires_grad=True),
            "w1": w(hidden, hidden), "b1": torch.zeros(hidden, requires_grad=True),
            "w2": w(1, hidden), "b2": torch.zeros(1, requires_grad=True),
        }
        self.log_rate = torch.full((inner_steps,), -2.5, requires_grad=True)
        self.inner_steps = inner_steps
        self.fast = None

    def meta_parameters(self):
        yield from self.weights.values()
        yield self.log_rate

    def rates(self):
        return self.log_rate.detach().exp().tolist()

    @staticmethod
    def net(p, x):
        h = torch.tanh(F.linear(x, p["w0"], p["b0"]))
        h = torch.tanh(F.linear(h, p["w1"], p["b1"]))
        return F.linear(h, p["w2"], p["b2"])

    def steps(self, task, create_graph=True):
        self.fast = self.weights
        for s in range(self.inner_steps):
            loss = F.mse_loss(self.net(self.fast, task.xs), task.ys)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=create_graph)
            rate = self.log_rate[s].exp()
            self.fast = {k: v - rate * g for (k, v), g in zip(self.fast.items(), grads)}
            yield self.fast

    def query_losses(self, task):
        return [F.mse_loss(self.net(fast, task.xq), task.yq) for fast in self.steps(task)]

    def evaluate(self, tasks):
        scores = []
        for task in tasks:
            p = {k: v.detach().requires_grad_() for k, v in self.weights.items()}
            for rate in self.rates():
                loss = F.mse_loss(self.net(p, task.xs), task.ys)
                grads = torch.autograd.grad(loss, list(p.values()))
                p = {k: (v.detach() - rate * g).requires_grad_() for (k, v), g in zip(p.items(), grads)}
            with torch.no_grad():
                scores.append(F.mse_loss(self.net(p, task.xq), task.yq).item())
        return sum(scores) / len(scores)
