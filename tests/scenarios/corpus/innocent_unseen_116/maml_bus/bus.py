class Bus:
    def __init__(self):
        self._fns = {}

    def on(self, topic):
        def deco(fn):
            self._fns.setdefault(topic, []).append(fn)
            return fn
        return deco

    def send(self, topic, *args):
        for fn in self._fns.get(topic, ()):
            fn(*args)
