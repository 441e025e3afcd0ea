import torch


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.losses = []

    def next_batch(self):
        raise NotImplementedError

    def compute_loss(self, batch):
        raise NotImplementedError

    def start_step(self):
        self.opt.zero_grad(set_to_none=True)

    def train_step(self):
        self.start_step()  # <- culprit
        loss = self.compute_loss(self.next_batch())
        loss.backward()
        self.opt.step()  # <- culprit
        self.losses.append(loss.item())

    def fit(self, epochs, steps_per_epoch):
        for e in range(epochs):
            for _ in range(steps_per_epoch):
                self.train_step()
            recent = self.losses[-steps_per_epoch:]
            print(f"epoch {e}: dice loss {sum(recent) / len(recent):.4f}")
