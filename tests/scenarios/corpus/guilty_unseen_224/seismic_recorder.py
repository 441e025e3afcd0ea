# gradwatch-corpus: kind=graph-held
# holder: self.peaks | trainer.observers[1].peaks
# first-bad: 1
"""P-wave picker on synthetic seismograms. Trainer core + observers."""
import torch
import torch.nn.functional as F
from torch import nn


class Observer:
    def on_start(self, trainer):
        pass

    def on_step(self, trainer, ctx):
        pass

    def on_finish(self, trainer):
        pass


class PeakRecorder(Observer):
    """Collects, for each step, the strongest pick, for the report."""

    def __init__(self, top):
        self.top = top
        self.peaks = []

    def on_step(self, trainer, ctx):
        strongest = ctx["logits"].amax(dim=1)
        self.peaks.append(strongest)  # <- culprit

    def on_finish(self, trainer):
        table = torch.stack(self.peaks)
        means = table.mean(dim=1)
        order = means.argsort(descending=True)[: self.top]
        for i in order.tolist():
            print(f"step {i:3d} peak {means[i].item():.3f}")


class Progress(Observer):
    def __init__(self, every):
        self.every = every

    def on_step(self, trainer, ctx):
        if ctx["step"] % self.every == 0:
            print(f"{ctx['step']:4d}  {ctx['loss'].item():.4f}")


class Seismograms:
    def __init__(self, length, noise):
        self.length = length
        self.noise = noise

    def draw(self, n):
        onset = torch.randint(20, self.length - 40, (n,))
        t = torch.arange(self.length).expand(n, -1)
        lag = (t - onset[:, None]).float()
        wave = torch.where(lag >= 0, torch.exp(-lag / 15) * torch.sin(lag * 0.9), torch.zeros(()))
        trace = wave + self.noise * torch.randn(n, self.length)
        return trace[:, None], onset


class Picker(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, width, 9, padding=4),
            nn.GELU(),
            nn.Conv1d(width, width, 9, padding=4),
            nn.GELU(),
            nn.Conv1d(width, 1, 1),
        )

    def forward(self, trace):
        return self.body(trace).squeeze(1)


class CoreTrainer:
    def __init__(self, model, source, observers):
        self.model = model
        self.source = source
        self.observers = observers
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)

    def notify(self, event, *args):
        for obs in self.observers:
            getattr(obs, event)(self, *args)

    def run(self, steps, batch):
        self.notify("on_start")
        for step in range(steps):
            trace, onset = self.source.draw(batch)
            logits = self.model(trace)
            loss = F.cross_entropy(logits, onset)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.notify("on_step", {"step": step, "logits": logits, "loss": loss})
        self.notify("on_finish")


if __name__ == "__main__":
    torch.manual_seed(224)
    trainer = CoreTrainer(
        Picker(12),
        Seismograms(length=200, noise=0.1),
        [Progress(25), PeakRecorder(top=3)],
    )
    trainer.run(steps=100, batch=16)
