_PLUGINS = {}


def plugin(name):
    def add(cls):
        cls.name = name
        _PLUGINS[name] = cls
        return cls

    return add


def load(name, **options):
    return _PLUGINS[name](**options)


class Plugin:
    def before_step(self, host):
        pass

    def after_step(self, host):
        pass


@plugin("drift")
class CodeDrift(Plugin):
    """How far the code's mean moves from one step to the next."""

    def __init__(self):
        self.level = 0.0

    def before_step(self, host):
        reference = host.state.code
        if reference is None:
            return
        step = host.state.step

        def hook(module, args, out):
            if host.state.step == step:
                moved = (out.mean(0) - reference.mean(0)).norm()
                self.level = 0.9 * self.level + 0.1 * moved.item()

        host.model.encoder.register_forward_hook(hook)  # <- culprit


@plugin("progress")
class Progress(Plugin):
    def __init__(self, every):
        self.every = every

    def after_step(self, host):
        if host.state.step % self.every == 0:
            print(host.state.step, round(host.state.loss, 4))
