# gradwatch-corpus: kind=none
import abc

import torch
from torch import nn
import torch.nn.functional as F


class Loop(abc.ABC):
    """A loop over steps; every `period` steps the subclass's hook is called."""

    period = 45

    def __init__(self, steps):
        self.steps = steps
        self.step_no = 0
        self.outputs = []

    @abc.abstractmethod
    def training_step(self):
        ...

    @abc.abstractmethod
    def configure(self):
        ...

    def after_period(self):
        pass

    def run(self):
        optimizer = self.configure()
        while self.step_no < self.steps:
            out = self.training_step()
            optimizer.zero_grad()
            out["loss"].backward()
            optimizer.step()
            self.outputs.append(out)
            self.step_no += 1
            if self.step_no % self.period == 0:
                self.after_period()


class Siamese(Loop):
    """Signature verification with a contrastive loss."""

    def __init__(self, steps, strokes=32, margin=1.0):
        super().__init__(steps)
        self.net = nn.Sequential(nn.Linear(strokes, 48), nn.LeakyReLU(0.1), nn.Linear(48, 8))
        self.writers = torch.randn(40, strokes)
        self.margin = margin
        self.threshold = 0.5 * margin

    def configure(self):
        return torch.optim.NAdam(self.net.parameters(), lr=2e-3)

    def training_step(self):
        who = torch.randint(len(self.writers), (32,))
        same = torch.rand(32) < 0.5
        other = torch.where(same, who, (who + torch.randint(1, 40, (32,))) % 40)
        a = self.net(self.writers[who] + 0.5 * torch.randn(32, self.writers.shape[1]))
        b = self.net(self.writers[other] + 0.5 * torch.randn(32, self.writers.shape[1]))
        distance = F.pairwise_distance(a, b)
        pull = distance.pow(2)[same].sum()
        push = F.relu(self.margin - distance).pow(2)[~same].sum()
        return {"loss": (pull + push) / 32, "distance": distance, "same": same}

    def after_period(self):
        distance = torch.cat([o["distance"].detach() for o in self.outputs])
        same = torch.cat([o["same"] for o in self.outputs])
        self.threshold = 0.5 * (distance[same].mean() + distance[~same].mean()).item()
        accuracy = ((distance < self.threshold) == same).float().mean().item()
        print(f"{self.step_no}: threshold {self.threshold:.3f} accuracy {accuracy:.3f}")
        self.outputs = self.outputs[len(self.outputs):]


if __name__ == "__main__":
    torch.manual_seed(98)
    Siamese(steps=495).run()
