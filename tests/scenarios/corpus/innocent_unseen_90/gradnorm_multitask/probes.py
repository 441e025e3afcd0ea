class ActivationProbe:
    def __init__(self, module):
        self.seen = {}
        self.handle = module.register_forward_hook(self._keep)

    def _keep(self, module, args, out):
        self.seen[module] = out

    def level(self):
        return max(o.abs().mean().item() for o in self.seen.values())

    def close(self):
        self.handle.remove()


class Accumulator:
    def __init__(self, micro):
        self.micro, self.parts, self.reports = micro, [], []

    def backward(self, loss, parts):
        self.parts.append(parts)
        (loss / self.micro).backward(retain_graph=True)

    def mean_losses(self):
        return [sum(col) / self.micro for col in zip(*self.parts)]

    def reset(self):
        self.reports.append([round(v.item(), 4) for v in self.mean_losses()])
        self.parts = []

    @property
    def last_report(self):
        return self.reports[-1]
