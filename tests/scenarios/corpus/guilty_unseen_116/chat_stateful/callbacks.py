class Callback:
    def on_segment(self, trainer, segment):
        pass

    def on_step_end(self, trainer, loss):
        pass


class ConversationReset(Callback):
    def on_segment(self, trainer, segment):
        if segment.first:
            trainer.model.forget()


class Meter(Callback):
    def __init__(self, every):
        self.every, self.values = every, []

    def on_step_end(self, trainer, loss):
        self.values.append(loss)
        if len(self.values) % self.every == 0:
            tail = self.values[-self.every:]
            print(f"step {len(self.values)}: {sum(tail) / len(tail):.4f}")
