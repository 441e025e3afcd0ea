class Engine:
    """A very small training engine with callbacks."""

    def __init__(self, model, optimizer, callbacks=()):
        self.model = model
        self.optimizer = optimizer
        self.callbacks = list(callbacks)
        self.beta = 0.0
        self.step = 0

    def emit(self, event, **kw):
        for cb in self.callbacks:
            getattr(cb, event)(self, **kw)

    def train_step(self, x):
        recon, kl = self.model.loss_terms(x)
        loss = recon + self.beta * kl
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {"loss": loss, "recon": recon, "kl": kl}  # <- culprit

    def run(self, loader, epochs):
        for epoch in range(epochs):
            self.emit("on_epoch_start", epoch=epoch)
            for x in loader:
                logs = self.train_step(x)
                self.emit("on_batch_end", logs=logs)  # <- culprit
                self.step += 1
