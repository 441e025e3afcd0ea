import torch


class ExpertNorms:
    """Every now and then, how strongly the task alone pulls on each expert."""

    def __init__(self, model, every):
        self.model, self.every = model, every

    def __call__(self, step, task):
        if step % self.every:
            return
        norms = []
        for expert in self.model.experts:
            grads = torch.autograd.grad(task, list(expert.parameters()), retain_graph=True)
            norms.append(sum(float(g.square().sum()) for g in grads) ** 0.5)
        print("   expert pull:", " ".join(f"{n:.3f}" for n in norms))


class BackwardStrategy:
    def __init__(self, optimizer, observers=()):
        self.optimizer = optimizer
        self.observers = list(observers)

    def step(self, loss, per_sample, step):
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        for observe in self.observers:
            observe(step, per_sample)
        self.optimizer.step()
