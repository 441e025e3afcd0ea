# gradwatch-corpus: kind=second-backward
# holder: self.filters | frontend.filters | model.frontend.filters | self.frontend.filters | filters | session.model.frontend.filters
# first-bad: 1
"""Wake-word detector on raw audio with a learnable band-pass front end (SincNet style)."""
import torch
from torch import nn

from callbacks import Accuracy, CallbackList, PrintEvery
from frontend import SincFrontend


class WakeNet(nn.Module):
    def __init__(self, rate=4000, bands=12):
        super().__init__()
        self.frontend = SincFrontend(bands, width=65, rate=rate)
        self.body = nn.Sequential(
            nn.BatchNorm1d(bands),
            nn.Conv1d(bands, 16, 5, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(),
        )
        self.head = nn.Linear(64, 2)

    def forward(self, wave):
        return self.head(self.body(self.frontend(wave)))


def utterances(batch, rate=4000, seconds=0.25, seed=2):
    """A rising chirp is the wake word, a falling one is not; both in noise."""
    gen = torch.Generator().manual_seed(seed)
    t = torch.arange(int(rate * seconds)) / rate
    while True:
        label = torch.randint(0, 2, (batch,), generator=gen)
        f0 = 500 + 150 * torch.rand(batch, 1, generator=gen)
        slope = torch.where(label[:, None] == 1, 1600.0, -1200.0)
        start = torch.where(label[:, None] == 1, f0, f0 + 400)
        wave = torch.sin(2 * torch.pi * (start * t + 0.5 * slope * t**2))
        yield (wave + 0.3 * torch.randn(wave.shape, generator=gen)).unsqueeze(1), label


class Session:
    def __init__(self, model, lr, callbacks):
        self.model = model
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.callbacks = CallbackList(callbacks)

    def run(self, source, steps):
        for step, (wave, label) in zip(range(steps), source):
            self.optimizer.zero_grad()
            logits = self.model(wave)
            loss = self.criterion(logits, label)
            loss.backward()
            self.optimizer.step()
            self.callbacks.on_step(step, loss=loss.item(), logits=logits.detach(), label=label)


def main(steps=200):
    torch.manual_seed(0)
    session = Session(WakeNet(), 2e-3, [accuracy := Accuracy(), PrintEvery(50, accuracy)])
    session.run(utterances(batch=16), steps)


if __name__ == "__main__":
    main()
