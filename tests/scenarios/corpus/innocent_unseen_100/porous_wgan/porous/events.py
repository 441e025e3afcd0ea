class Bus(dict):
    def on(self, topic):
        def keep(fn):
            self.setdefault(topic, []).append(fn)
            return fn
        return keep

    def fire(self, topic, **kw):
        for fn in self.get(topic, []):
            fn(**kw)
