# gradwatch-corpus: kind=graph-chain
# holder: self.slots | memory.slots | model.memory.slots | self.memory.slots
# first-bad: 1
# notice: 5
# also: retain-needless
"""Reaction yield regression with an associative memory over the assay stream."""
import torch

from .assays import stream
from .model import YieldModel

torch.manual_seed(9)
torch.set_num_threads(1)


def run():
    model = YieldModel(12, 16)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for plate in range(6):
        total = 0.0
        for x, y in stream(plate, 20):
            pred = model(x)
            loss = (pred - y).square().mean()
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            total += loss.item()
        print(f"plate {plate}: mse {total / 20:.4f}")


if __name__ == "__main__":
    run()
