# gradwatch-corpus: kind=second-backward
# holder: state | self.state | predictor.state
# first-bad: 1
# about: the error is caught, the batch skipped, the state reset: half of the work is lost silently
import torch
from torch import nn


class OnlinePredictor:
    def __init__(self, dim=6):
        self.cell = nn.GRUCell(dim, 16)
        self.head = nn.Linear(16, dim)
        params = [*self.cell.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.Adam(params, lr=1e-3)
        self.state = torch.zeros(1, 16)
        self.skipped = 0

    def observe(self, x, x_next):
        self.state = self.cell(x, self.state)  # <- culprit
        loss = nn.functional.mse_loss(self.head(self.state), x_next)
        self.optimizer.zero_grad()
        try:
            loss.backward()
        except RuntimeError:
            self.skipped += 1
            self.state = torch.zeros(1, 16)
            return None
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    predictor = OnlinePredictor()
    x = torch.randn(1, 6)
    for _ in range(60):
        x_next = 0.9 * x + 0.1 * torch.randn(1, 6)
        predictor.observe(x, x_next)
        x = x_next
    print("skipped", predictor.skipped)


if __name__ == "__main__":
    main()
