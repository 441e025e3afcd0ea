import weakref


class Signal:
    def __init__(self):
        self._slots = []

    def connect(self, method):
        self._slots.append(weakref.WeakMethod(method))

    def __call__(self, **kw):
        for ref in self._slots:
            m = ref()
            if m is not None:
                m(**kw)


step_done = Signal()
epoch_done = Signal()
