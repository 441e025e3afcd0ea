import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.criterion = nn.MSELoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.state = None
        self.train_losses = []

    def reset_state(self, batch_size):
        self.state = self.model.init_state(batch_size)

    def train_step(self, x, y):
        pred, self.state = self.model(x, self.state)  # <- culprit
        loss = self.criterion(pred, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit_epoch(self, batches):
        self.model.train()
        self.reset_state(batches[0][0].size(0))
        total = 0.0
        for i, (x, y) in enumerate(batches):
            loss = self.train_step(x, y)
            total += loss
            self.train_losses.append(loss)
            if i % 10 == 0:
                print("  batch %d loss %.5f" % (i, loss))
        return total / len(batches)

    @torch.no_grad()
    def evaluate(self, batches):
        self.model.eval()
        state = self.model.init_state(batches[0][0].size(0))
        total = 0.0
        for x, y in batches:
            pred, state = self.model(x, state)
            total += self.criterion(pred, y).item()
        return total / len(batches)
