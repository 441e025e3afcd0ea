class Runner:
    def __init__(self, model, optimizer, bus, store):
        self.model, self.optimizer = model, optimizer
        self.bus, self.store = bus, store

    def _forward(self, x):
        pred, hidden = self.model(x, self.store.get("farm"))
        self.bus.emit("forward_done", hidden=hidden)  # <- culprit
        return pred

    def run(self, stream):
        errors = []
        for step, (x, power) in enumerate(stream):
            self.bus.emit("step_begin", step=step)
            pred = self._forward(x)
            loss = (pred - power).square().mean()
            self.optimizer.zero_grad()
            loss.backward(retain_graph=True)
            self.optimizer.step()
            errors.append((pred.detach() - power).abs().mean().item())
            self.bus.emit("step_end", step=step, error=errors[-1])
        return errors
