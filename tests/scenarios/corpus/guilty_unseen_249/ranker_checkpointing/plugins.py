from abc import ABC


class Plugin(ABC):
    def before_step(self, host, **info):
        pass

    def after_step(self, host, **info):
        pass


class PluginHost:
    def __init__(self):
        self.plugins = {}

    def install(self, name, plugin):
        self.plugins[name] = plugin

    def broadcast(self, event, **info):
        for plugin in self.plugins.values():
            getattr(plugin, event)(self, **info)


class WarmupPlugin(Plugin):
    def __init__(self, steps):
        self.steps = steps
        self.base = None

    def before_step(self, host, step, **info):
        group = host.optimizer.param_groups[0]
        if self.base is None:
            self.base = group["lr"]
        group["lr"] = self.base * min(1.0, (step + 1) / self.steps)
