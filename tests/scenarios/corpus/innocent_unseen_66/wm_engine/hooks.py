from .core import Hook


class FeatureTap:
    """Collects what a module puts out until somebody drains it."""

    def __init__(self, module):
        self.outputs = []
        self.handle = module.register_forward_hook(self._grab)

    def _grab(self, module, args, output):
        self.outputs.append(output)

    def drain(self):
        out, self.outputs = self.outputs, []
        return out


class Consistency(Hook):
    """Slowness penalty on successive recurrent states."""

    def __init__(self, tap, weight):
        self.tap, self.weight = tap, weight

    def on_losses(self, engine):
        hs = self.tap.drain()
        slow = sum((b - a).square().mean() for a, b in zip(hs, hs[1:])) / (len(hs) - 1)
        engine.state.losses["recon"] = engine.state.losses["recon"] + self.weight * slow


class BackwardBatcher(Hook):
    """Lets the losses of several iterations gather, then walks them all in one go."""

    def __init__(self, every):
        self.every = every

    def on_iteration_end(self, engine):
        pending = engine.state.pending
        if len(pending) < self.every:
            return
        engine.opt.zero_grad()
        (sum(pending) / len(pending)).backward()
        engine.opt.step()
        pending.clear()


class Running(Hook):
    def __init__(self, keep):
        self.keep = keep
        self.value = {}

    def on_iteration_end(self, engine):
        for k, v in engine.state.losses.items():
            v = v.detach()
            self.value[k] = self.keep * self.value.get(k, v) + (1 - self.keep) * v
        self.value = {k: float(v) for k, v in self.value.items()}
        if engine.state.iteration % engine.schedule.log_every == 0:
            print(engine.state.iteration, {k: round(v, 3) for k, v in self.value.items()})
