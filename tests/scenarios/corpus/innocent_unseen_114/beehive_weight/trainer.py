class Trainer:
    def __init__(self, model, opt, callbacks):
        self.model, self.opt, self.callbacks = model, opt, callbacks
        self.n_steps = 0
        self.last = None

    def step(self, batch):
        x, weight = batch
        out = self.model(x)
        self.callbacks.on_forward(self, out)
        loss = (out - weight).pow(2).mean()
        self.callbacks.on_loss(self, loss)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.callbacks.on_step(self)
        self.last = {"out": out, "loss": loss}
        self.n_steps += 1
