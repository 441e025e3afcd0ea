class Engine:
    def __init__(self, net, criterion, opt):
        self.net, self.criterion, self.opt = net, criterion, opt
        self.listeners = []
        self.last = float("nan")

    def add(self, listener):
        self.listeners.append(listener)
        return self

    def _tell(self, event, *args):
        for listener in self.listeners:
            handler = getattr(listener, event, None)
            if handler is not None:
                handler(self, *args)

    def _batch(self, x, y):
        self.opt.zero_grad()
        loss = self.criterion(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.last = loss.item()

    def run(self, loader, epochs):
        for epoch in range(epochs):
            self.net.train()
            for x, y in loader:
                self._batch(x, y)
            self._tell("epoch_done", epoch)
