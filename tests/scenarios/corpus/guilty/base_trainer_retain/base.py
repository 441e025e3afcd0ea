import torch


class BaseTrainer:
    lr = 1e-3

    def __init__(self):
        self.model = self.build()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.lr)

    def build(self):
        raise NotImplementedError

    def compute_loss(self, batch):
        raise NotImplementedError

    def optimize(self, loss):
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            total = 0.0
            for batch in batches:
                loss = self.compute_loss(batch)
                self.optimize(loss)
                total += loss.item()
            print(f"epoch {epoch}: {total / len(batches):.4f}")
