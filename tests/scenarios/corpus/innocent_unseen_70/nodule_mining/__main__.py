# gradwatch-corpus: kind=none
"""Lung nodule patches: only the costliest patches of several scans take part in a step."""
import torch

from nodule_mining.mining import HardestPatches
from nodule_mining.patches import Scanner
from nodule_mining.nets import PatchNet


class Experiment:
    scans_per_step = 4
    keep = 14

    def __init__(self):
        self.scanner = Scanner(seed=3)
        self.net = PatchNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.miner = HardestPatches(self.keep)
        self.criterion = torch.nn.BCEWithLogitsLoss(reduction="none")
        self.history = []

    def step(self):
        self.miner.begin()
        for _ in range(self.scans_per_step):
            patches, truth = self.scanner.scan(12)
            self.miner.offer_all(self.criterion(self.net(patches), truth))
        loss = self.miner.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.history.append(loss.item())

    @torch.no_grad()
    def sensitivity(self):
        self.net.eval()
        patches, truth = self.scanner.scan(200)
        found = (self.net(patches) > 0) & (truth > 0.5)
        self.net.train()
        return (found.sum() / truth.sum().clamp(min=1)).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    exp = Experiment()
    for i in range(220):
        exp.step()
        if i % 55 == 54:
            last = sum(exp.history[-20:]) / 20
            print(f"{i + 1}: hard cost {last:.3f} sensitivity {exp.sensitivity():.2f}")


if __name__ == "__main__":
    main()
