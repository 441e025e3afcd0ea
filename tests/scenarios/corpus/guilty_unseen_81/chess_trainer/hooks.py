class Hook:
    def before_step(self, coach, batch):
        pass

    def after_step(self, coach, batch, logits):
        pass


class Every(Hook):
    def __init__(self, n, fn):
        self.n, self.fn = n, fn

    def after_step(self, coach, batch, logits):
        if coach.t % self.n == 0:
            self.fn(coach)


class LegalRate(Hook):
    """Share of predicted target squares which are not occupied by one's own man."""

    def after_step(self, coach, batch, logits):
        own = batch.boards[:, 0].flatten(1)
        top = logits.argmax(1, keepdim=True)
        coach.metrics["legal"] = 1 - own.gather(1, top).mean().item()
