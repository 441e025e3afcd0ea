from .windows import Windows


class Hook:
    def before_epoch(self, loop):
        ...

    def after_batch(self, loop, group, out):
        ...

    def after_epoch(self, loop):
        ...


class CompareHook(Hook):
    NAMES = ("even", "odd")

    def __init__(self, groups, keep):
        self.groups = groups
        self.windows = Windows(keep)

    def before_epoch(self, loop):
        self.windows.open(self.NAMES[loop.epoch & 1])

    def after_batch(self, loop, group, out):
        self.windows.put(group, out.pop("loss"))
        loop.history.append((loop.epoch, group, out))

    def after_epoch(self, loop):
        if loop.epoch % 13 != 12:
            return
        other = self.NAMES[~loop.epoch & 1]
        cells = [f"{g} {self.windows.mean(g, other):.3f}->{self.windows.mean(g):.3f}" for g in self.groups]
        acc = [o["acc"] for _, _, o in loop.history]
        print(loop.epoch, " | ".join(cells), f"acc {sum(acc).item() / len(acc):.3f} over {len(acc)}")
