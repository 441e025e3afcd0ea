# gradwatch-corpus: kind=grads-accumulate
# about: the loop has everything but zero_grad
import torch
import torch.nn as nn
import torch.optim as optim


class LogisticRegression(nn.Module):
    def __init__(self, n_inputs, n_outputs):
        super().__init__()
        self.linear = nn.Linear(n_inputs, n_outputs)

    def forward(self, x):
        return self.linear(x.view(x.size(0), -1))


def train(model, steps=60):
    optimizer = optim.SGD(model.parameters(), lr=0.001)
    criterion = nn.CrossEntropyLoss()
    for step in range(steps):
        images = torch.rand(20, 1, 6, 6)
        labels = (images.sum(dim=(1, 2, 3)) > 18).long()
        loss = criterion(model(images), labels)
        loss.backward()  # <- culprit
        optimizer.step()  # <- culprit
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train(LogisticRegression(36, 2))
