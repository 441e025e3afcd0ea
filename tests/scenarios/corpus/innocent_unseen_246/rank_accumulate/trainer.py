import torch
import torch.nn.functional as F


class AccumulatingTrainer:
    def __init__(self, model, micro_per_step, lr, callbacks):
        self.model = model
        self.micro_per_step = micro_per_step
        self.callbacks = callbacks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.micro_losses = []
        self.updates = 0

    def micro(self, ids, clicked):
        loss = F.binary_cross_entropy_with_logits(self.model(ids), clicked)
        (loss / self.micro_per_step).backward()
        self.micro_losses.append(loss)
        for callback in self.callbacks:
            callback.after_micro(self, self.micro_losses)

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.updates += 1
        for callback in self.callbacks:
            callback.after_update(self)
        self.micro_losses.clear()

    def run(self, batches):
        for index, (ids, clicked) in enumerate(batches, start=1):
            self.micro(ids, clicked)
            if index % self.micro_per_step == 0:
                self.update()
            if index % 80 == 0:
                print(f"micro {index} update {self.updates}")
