import torch


class Trainer:
    def __init__(self, model, optimizer, callbacks, balance=0.01):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks
        self.balance = balance
        self.step = 0

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def training_step(self, x, y):
        pred, probs = self.model(x)
        task = torch.nn.functional.huber_loss(pred, y)
        load = probs.mean(0)
        penalty = (load * load).sum() * load.numel()
        loss = task + self.balance * penalty
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return {"scalars": {"task": task.item(), "balance": penalty.item()}, "gate": probs}

    def fit(self, stream, steps):
        for (x, y), _ in zip(stream, range(steps)):
            logs = self.training_step(x, y)
            self.step += 1
            self.emit("on_step_end", logs)
        self.emit("on_fit_end")
