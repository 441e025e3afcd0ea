# gradwatch-corpus: kind=graph-held
# holder: self.pending | metrics.pending | self.pending[i][1]
# first-bad: 1
"""Tiny CTC phone recogniser on synthetic filterbanks, driven by our in-house event engine."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from engine import Engine, Events
from handlers import GradClip, LazyMetrics, ProgressLine

BLANK = 0
N_PHONES = 12


class PhoneNet(nn.Module):
    def __init__(self, n_mels=20, width=32):
        super().__init__()
        self.front = nn.Conv1d(n_mels, width, 5, stride=2, padding=2)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, N_PHONES + 1)

    def forward(self, feats):
        h = F.relu(self.front(feats.transpose(1, 2))).transpose(1, 2)
        h, _ = self.rnn(h)
        return self.head(h).log_softmax(-1)


def utterances(batch, phones=5, gen=None):
    """Each phone is a fixed spectral template held for eight frames."""
    templates = torch.randn(N_PHONES + 1, 20, generator=torch.Generator().manual_seed(3))
    while True:
        y = torch.randint(1, N_PHONES + 1, (batch, phones), generator=gen)
        x = templates[y].repeat_interleave(8, dim=1)
        yield x + 0.3 * torch.randn(x.shape, generator=gen), y


def make_step(model, optimizer):
    def step(engine, batch):
        feats, targets = batch
        logp = model(feats)
        in_len = torch.full((len(feats),), logp.size(1))
        tgt_len = torch.full((len(feats),), targets.size(1))
        ctc = F.ctc_loss(logp.transpose(0, 1), targets, in_len, tgt_len, blank=BLANK)
        entropy = -(logp.exp() * logp).sum(-1).mean()
        loss = ctc - 0.02 * entropy
        optimizer.zero_grad()
        loss.backward()
        engine.fire(Events.GRADIENTS_READY)
        optimizer.step()
        return {"ctc": ctc, "entropy": entropy}

    return step


def main(iterations=220):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    model = PhoneNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    engine = Engine(make_step(model, optimizer))
    metrics = LazyMetrics(["ctc", "entropy"])
    GradClip(model, 5.0).attach(engine)
    ProgressLine(every=55).attach(engine)
    metrics.attach(engine)
    engine.run(utterances(8, gen=gen), iterations)

    for key, series in metrics.table.items():
        print(f"{key:8s} first {series[0]:.3f}  last {series[-1]:.3f}  ({len(series)} points)")


if __name__ == "__main__":
    main()
