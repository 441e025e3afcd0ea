# gradwatch-corpus: kind=graph-held
# holder: solver.stats.rejected | self.stats.rejected | self.rejected
# first-bad: 1
import torch

from data import spirals
from models import ODEClassifier
from solver import AdaptiveHeun


def accuracy(logits, y):
    return (logits.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(23)
    solver = AdaptiveHeun(rtol=2e-2, h0=0.5)
    model = ODEClassifier(dim=4, hidden=32, solver=solver)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    loss_fn = torch.nn.CrossEntropyLoss()
    for itr in range(80):
        x, y = spirals(64)
        logits = model(x)
        loss = loss_fn(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if itr % 20 == 0:
            print(f"iter {itr} loss {loss.item():.4f} acc {accuracy(logits, y):.3f} nfe {solver.stats.nfe}")
    print("steps rejected", len(solver.stats.rejected), "worst", round(solver.stats.worst(), 4))


if __name__ == "__main__":
    main()
