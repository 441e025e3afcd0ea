# gradwatch-corpus: kind=none
# about: training is a generator: its frame, with loss and outputs of the last step, sleeps
# about: between steps; three such generators take turns, and one is closed in the middle
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


def training(model, lr, seed):
    """Yields the loss, with its graph, after each step."""
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for x, y in batches(*classes(seed=seed), size=32, seed=seed):
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss


class Tournament:
    def __init__(self):
        self.players = {
            lr: training(nn.Sequential(nn.Linear(16, 24), nn.Tanh(), nn.Linear(24, 4)), lr, seed)
            for seed, lr in enumerate((0.3, 0.05, 0.01))
        }
        self.standing = {}

    def round(self):
        for lr, player in self.players.items():
            self.standing[lr] = next(player)

    def drop_worst(self):
        worst = max(self.players, key=lambda lr: self.standing[lr].item())
        self.players.pop(worst).close()
        del self.standing[worst]
        return worst


if __name__ == "__main__":
    torch.manual_seed(0)
    game = Tournament()
    for n in range(ITERATIONS // 2):
        game.round()
        if n == ITERATIONS // 4:
            print("dropped", game.drop_worst())
        if n % 25 == 0:
            print(n, {lr: round(loss.item(), 6) for lr, loss in game.standing.items()})
