from collections import OrderedDict

from registry import HOOKS


class LogBuffer:
    def __init__(self):
        self.val_history = OrderedDict()
        self.n_history = OrderedDict()
        self.output = OrderedDict()

    def clear_output(self):
        self.output.clear()

    def update(self, vars, count=1):
        for key, var in vars.items():
            if key not in self.val_history:
                self.val_history[key] = []
                self.n_history[key] = []
            self.val_history[key].append(var)  # <- culprit
            self.n_history[key].append(count)

    def average(self, n):
        for key in self.val_history:
            values, nums = self.val_history[key][-n:], self.n_history[key][-n:]
            self.output[key] = float(sum(v.item() * k for v, k in zip(values, nums)) / sum(nums))


class IterBasedRunner:
    def __init__(self, model, optimizer, max_iters):
        self.model, self.optimizer = model, optimizer
        self.max_iters = max_iters
        self.iter = 0
        self._hooks = []
        self.outputs = None
        self.log_buffer = LogBuffer()

    def register_hook(self, cfg):
        self._hooks.append(HOOKS.build(cfg))

    def call_hook(self, fn_name):
        for hook in self._hooks:
            getattr(hook, fn_name)(self)

    def train(self, data_batch):
        self.model.train()
        self.call_hook("before_train_iter")
        self.outputs = self.model.train_step(data_batch)
        self.log_buffer.update(self.outputs["log_vars"], self.outputs["num_samples"])
        self.call_hook("after_train_iter")
        self.iter += 1

    def run(self, dataset):
        self.call_hook("before_run")
        batches = iter(dataset)
        while self.iter < self.max_iters:
            self.train(next(batches))
        self.call_hook("after_run")
