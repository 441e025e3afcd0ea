from collections import defaultdict


class Hooks:
    """hooks.anything(...) calls `anything` on each listener that has it."""

    def __init__(self, listeners):
        self.listeners = listeners

    def __getattr__(self, name):
        def fan_out(*args, **kwargs):
            for item in self.listeners:
                fn = getattr(item, name, None)
                if fn is not None:
                    fn(*args, **kwargs)

        return fan_out


class Journal:
    def __init__(self):
        self.columns = defaultdict(list)

    def stepped(self, step, **tensors):
        for key, value in tensors.items():
            self.columns[key].append(value.detach().clone())

    def mean(self, key):
        return sum(v.item() for v in self.columns[key]) / len(self)

    def __len__(self):
        return max(map(len, self.columns.values()), default=0)


class Every:
    def __init__(self, n, sink):
        self.n, self.sink, self.last = n, sink, None

    def stepped(self, step, **tensors):
        self.last = tensors
        if step % self.n == 0:
            self.sink(step, " ".join(f"{k} {v.item():.3f}" for k, v in self.last.items()))
