import torch


class Loop:
    def __init__(self, task, callbacks=(), lr=1e-3):
        self.task = task
        self.callbacks = sorted(callbacks, key=lambda c: c.priority)
        self.optimizer = torch.optim.AdamW(task.parameters(), lr=lr)
        self.step = 0

    def fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def run(self, stream, steps):
        self.fire("on_train_begin")
        for batch in stream:
            if self.step >= steps:
                break
            out = self.task.training_step(batch)
            self.optimizer.zero_grad(set_to_none=True)
            out["loss"].backward()
            self.optimizer.step()
            self.fire("on_batch_end", out)
            self.step += 1
        self.fire("on_train_end")
