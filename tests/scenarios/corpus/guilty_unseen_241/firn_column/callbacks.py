from collections import defaultdict


class CurveRecorder:
    def __init__(self, smooth):
        self.smooth = smooth
        self.curves = defaultdict(list)

    def after_step(self, iteration, terms):
        for name, value in terms.items():
            self.curves[name].append(value)  # <- culprit
        if iteration % 25 == 0:
            shown = ", ".join(f"{k} {self.tail_mean(k):.5f}" for k in self.curves)
            print(f"[{iteration:3d}] {shown}")

    def tail_mean(self, name):
        tail = self.curves[name][-self.smooth:]
        return sum(v.item() for v in tail) / len(tail)

    def summary(self):
        out = {}
        for name, values in self.curves.items():
            low = min(v.item() for v in values)
            out[name] = f"best {low:.6f} last {self.tail_mean(name):.6f}"
        return out


class EarlyFreeze:
    def __init__(self, module, after):
        self.module = module
        self.after = after

    def after_step(self, iteration, terms):
        if iteration == self.after:
            for p in self.module.parameters():
                p.requires_grad_(False)
