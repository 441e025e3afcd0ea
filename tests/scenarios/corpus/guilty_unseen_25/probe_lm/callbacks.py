import collections
import statistics


class Callback:
    def on_fit_begin(self, learner): ...
    def on_step_end(self, learner): ...
    def on_fit_end(self, learner): ...


class LossPrinter(Callback):
    def __init__(self, every=25):
        self.every, self.values = every, []

    def on_step_end(self, learner):
        self.values.append(learner.loss.item())
        if learner.step_no % self.every == 0:
            print(learner.step_no, "mean loss", round(statistics.fmean(self.values[-self.every:]), 4))


class ActivationStats(Callback):
    """fastai-like: mean activation of each layer over time, to plot dead layers afterwards"""

    def __init__(self, kinds):
        self.kinds = kinds
        self.handles = []

    def on_fit_begin(self, learner):
        self.stats = collections.defaultdict(list)
        for name, module in learner.model.named_modules():
            if isinstance(module, self.kinds):
                self.handles.append(module.register_forward_hook(self._make(name)))

    def _make(self, name):
        store = self.stats[name]

        def hook(module, args, out):
            store.append((out.mean(), out.std()))  # <- culprit

        return hook

    def on_fit_end(self, learner):
        for h in self.handles:
            h.remove()
        for k, v in self.stats.items():
            if v:
                print(f"{k:12s} mean {float(v[-1][0].detach()):+.3f} std {float(v[-1][1].detach()):.3f}")
