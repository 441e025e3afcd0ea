class OnlineTrainer:
    """Template: subclasses give `predict`, `criterion` and, if they carry something, `advance`."""

    def __init__(self, settings):
        self.s = settings
        self.tick = 0
        self.optimizer = None

    def predict(self, obs):
        raise NotImplementedError

    def criterion(self, pred, *truth):
        raise NotImplementedError

    def advance(self, pred):
        pass

    def observe(self, loss):
        pass

    def run(self, stream):
        for self.tick, (obs, *truth) in enumerate(stream):
            pred = self.predict(obs)
            loss = self.criterion(pred, *truth)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward(retain_graph=self.s.keep_buffers)
            self.optimizer.step()
            self.advance(pred)  # <- culprit
            self.observe(loss.detach())
