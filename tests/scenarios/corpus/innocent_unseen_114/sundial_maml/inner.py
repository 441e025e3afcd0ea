import torch


class Adapter:
    """A few gradient steps on the support readings, with learned step sizes."""

    def __init__(self, fn, n_inner):
        self.fn = fn
        self.n_inner = n_inner
        self.log_rate = torch.full((n_inner,), -3.0, requires_grad=True)
        self.path = []

    def parameters(self):
        return [self.log_rate]

    def rates(self):
        return [round(r, 3) for r in self.log_rate.detach().exp().tolist()]

    def adapt(self, params, hours, angle):
        self.path = [params]
        for rate in self.log_rate.exp():
            current = self.path[-1]
            names = list(current)
            loss = (self.fn(current, hours) - angle).pow(2).mean()
            grads = torch.autograd.grad(loss, [current[n] for n in names], create_graph=True)
            self.path.append({n: current[n] - rate * g for n, g in zip(names, grads)})
        return self.path[-1]
