"""A small trainer.  Hooks may add named penalty terms to the objective of the step."""
import torch.nn.functional as F


class Coach:
    def __init__(self, model, opt, hooks):
        self.model, self.opt, self.hooks = model, opt, list(hooks)
        self.deferred = {}
        self.metrics = {}
        self.t = 0

    def add_penalty(self, name, term):
        self.deferred[name] = term  # <- culprit

    def fire(self, event, *args):
        for hook in self.hooks:
            getattr(hook, event)(self, *args)

    def objective(self, batch):
        logits = self.model(batch.boards)
        total = F.cross_entropy(logits, batch.moves)
        self.metrics["ce"] = total.item()
        for name, penalty in self.deferred.items():  # <- culprit
            total = total + penalty
            self.metrics[name] = penalty.item()
        return logits.detach(), total

    def run(self, source, steps):
        for batch in source.stream(steps):
            self.fire("before_step", batch)
            logits, total = self.objective(batch)
            self.opt.zero_grad()
            total.backward()
            self.opt.step()
            self.fire("after_step", batch, logits)
            self.t += 1

    def describe(self):
        return f"{self.t:4d} | " + " ".join(f"{k} {v:.4f}" for k, v in sorted(self.metrics.items()))
