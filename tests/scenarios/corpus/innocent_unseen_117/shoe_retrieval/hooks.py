class FeatureGrabber:
    def __init__(self, net, which):
        self.store = {}
        self.handles = []
        for name, module in net.named_children():
            if name in which:
                self.handles.append(module.register_forward_hook(self.make(which[name])))

    def make(self, key):
        def fn(mod, inp, out):
            self.store[key] = out
        return fn

    def pop(self):
        s, self.store = self.store, {}
        return s

    def __len__(self):
        return len(self.store)
