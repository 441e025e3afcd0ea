# gradwatch-corpus: kind=graph-held
# holder: recorder.frames["rnn"] | self.frames[name] | recorder.frames
# first-bad: 1
import torch
from torch import nn

from .hooks import ActivationRecorder
from .net import VibrationNet

STEPS, BATCH, LENGTH = 430, 16, 10


def batches(seed=5):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, LENGTH).view(1, -1, 1)
    while True:
        label = torch.randint(5, (BATCH,), generator=g)
        freq = (label + 1).view(-1, 1, 1) * 6.28
        phase = torch.rand(BATCH, 1, 3, generator=g)
        yield torch.sin(freq * t + phase) + 0.1 * torch.randn(BATCH, LENGTH, 3, generator=g), label


def run():
    torch.manual_seed(0)
    model = VibrationNet()
    recorder = ActivationRecorder({"stem": model.stem, "rnn": model.rnn, "head": model.head})
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    hits = 0
    for step, (x, y) in zip(range(STEPS), batches()):
        logits = model(x)
        loss = criterion(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(1) == y).sum().item()
        if step % 50 == 49:
            recorder.thin(400)
            print(step + 1, f"acc {hits / (50 * BATCH):.3f}", {k: round(v, 3) for k, v in recorder.stats().items()})
            hits = 0
    recorder.close()


run()
