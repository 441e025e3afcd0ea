import torch
import torch.nn.functional as F


def init_weights(hidden):
    sizes = [(hidden, 1), (hidden, hidden), (1, hidden)]
    meta = {}
    for i, (o, n) in enumerate(sizes):
        meta[f"w{i}"] = (torch.randn(o, n) / max(n, 2) ** 0.5).requires_grad_()
        meta[f"b{i}"] = torch.zeros(o, requires_grad=True)
    return meta


class MamlLearner:
    def __init__(self, hidden, inner_lr, inner_steps):
        self.meta = init_weights(hidden)
        self.inner_lr = inner_lr
        self.inner_steps = inner_steps
        self.adapted = {}

    def forward(self, w, x):
        x = F.relu(F.linear(x, w["w0"], w["b0"]))
        x = F.relu(F.linear(x, w["w1"], w["b1"]))
        return F.linear(x, w["w2"], w["b2"])

    def mse(self, w, x, y):
        return F.mse_loss(self.forward(w, x), y)

    def adapt(self, task, support):
        x, y = support
        fast = dict(self.meta)
        for _ in range(self.inner_steps):
            loss = self.mse(fast, x, y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {k: w - self.inner_lr * g for (k, w), g in zip(fast.items(), grads)}
        self.adapted[task.uid] = fast  # <- culprit
        return fast

    def recall(self, task):
        return self.adapted.get(task.uid, self.meta)
