class EventBus:
    """Topics with immediate handlers, plus messages that are only rendered at flush()."""

    def __init__(self):
        self._handlers = {}
        self._deferred = []

    def subscribe(self, topic, handler):
        self._handlers.setdefault(topic, []).append(handler)

    def publish(self, topic, *args):
        for handler in self._handlers.get(topic, ()):
            message = handler(*args)
            if message is not None:
                self.later(message)

    def later(self, render):
        self._deferred.append(render)  # <- culprit

    def flush(self):
        lines = [render() for render in self._deferred]
        self._deferred.clear()
        return lines
