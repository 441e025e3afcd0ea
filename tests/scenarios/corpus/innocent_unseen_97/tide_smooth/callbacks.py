from collections import defaultdict


class _Event(list):
    def __call__(self, *args):
        for fn in self:
            fn(*args)


EVENTS = defaultdict(_Event)


class Progress:
    def __init__(self, every):
        self.every, self.kept = every, []
        EVENTS["step"].append(self.on_step)

    def on_step(self, it, loss):
        self.kept.append(loss)
        if it % self.every == self.every - 1:
            print(f"{it + 1:4d}  mean {sum(self.kept[-self.every:]) / self.every:.4f}  of {len(self.kept)}")
