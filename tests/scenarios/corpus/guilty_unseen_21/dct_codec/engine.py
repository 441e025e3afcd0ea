"""Loop with plugins. A task returns one term per objective; each gets its own backward so that the
gradient norms can be reported by objective."""


class Plugin:
    def before_run(self, loop):
        pass

    def after_step(self, loop):
        pass


class Loop:
    def __init__(self, task, optimizer, plugins):
        self.task = task
        self.optimizer = optimizer
        self.plugins = plugins
        self.step = 0
        self.scalars = {}
        self.grad_norms = {}

    def _norm(self):
        grads = [p.grad for p in self.task.parameters() if p.grad is not None]
        return sum(g.pow(2).sum().item() for g in grads) ** 0.5

    def _backward(self, terms):
        for name, term in terms.items():
            term.backward(retain_graph=True)
            self.grad_norms[name] = self._norm()

    def run(self, source, steps):
        for plugin in self.plugins:
            plugin.before_run(self)
        for self.step in range(steps):
            terms, self.scalars = self.task(source.next())
            self.optimizer.zero_grad()
            self._backward(terms)
            self.optimizer.step()
            for plugin in self.plugins:
                plugin.after_step(self)
