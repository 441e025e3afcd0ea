# gradwatch-corpus: kind=graph-chain
# holder: self.trace | layer.trace
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(9)

CHANNELS, UNITS, CLASSES, BATCH = 20, 32, 5, 8


class LeakyLayer(nn.Module):
    """Leaky integration of projected spikes over the time steps of a trial."""

    def __init__(self, n_in, n_out, decay):
        super().__init__()
        self.proj = nn.Linear(n_in, n_out, bias=False)
        self.decay = decay
        self.trace = None
        self.potential = None

    def new_trial(self):
        self.potential = None  # <- culprit

    def forward(self, spikes):
        drive = self.proj(spikes)
        if self.trace is None:
            self.trace = drive
        else:
            self.trace = self.decay * self.trace + drive  # <- culprit
        return torch.tanh(self.trace)


class Trials:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.rates = torch.rand(CLASSES, CHANNELS, generator=self.gen) * 0.4

    def __iter__(self):
        while True:
            label = torch.randint(CLASSES, (BATCH,), generator=self.gen)
            length = int(torch.randint(8, 24, (1,), generator=self.gen))
            rate = self.rates[label]
            for t in range(length):
                spikes = (torch.rand(BATCH, CHANNELS, generator=self.gen) < rate).float()
                yield t == 0, spikes, label


def train(steps=430):
    layer = LeakyLayer(CHANNELS, UNITS, decay=0.9)
    readout = nn.Linear(UNITS, CLASSES)
    optimizer = torch.optim.Adam([*layer.parameters(), *readout.parameters()], lr=2e-3)
    hits, seen = 0, 0

    for step, (start, spikes, label) in enumerate(Trials(4)):
        if step == steps:
            break
        if start:
            layer.new_trial()
        logits = readout(layer(spikes))
        loss = F.cross_entropy(logits, label)

        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()

        hits += int((logits.argmax(1) == label).sum())
        seen += BATCH
        if step % 70 == 69:
            print(f"step {step + 1} loss {loss.item():.3f} accuracy {hits / seen:.3f}")
            hits, seen = 0, 0
    return layer, readout


if __name__ == "__main__":
    layer, readout = train()
    norm = layer.proj.weight.norm().item()
    print(f"projection norm {norm:.3f}")
