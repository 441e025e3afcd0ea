# gradwatch-corpus: kind=graph-held
# holder: self.peaks["stem"] | self.peaks["mid"] | self.peaks["deep"] | audit.peaks["stem"] | audit.peaks["mid"] | audit.peaks["deep"] | self.peaks[name] | audit.peaks[name] | series | audit.peaks
# first-bad: 1
# notice: 8
"""P-wave picking on synthetic seismograms, with an audit of channel saturation."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


def make_trace(n, length, gen):
    onset = torch.randint(12, length - 12, (n,), generator=gen)
    t = torch.arange(length).expand(n, length)
    after = (t >= onset[:, None]).float()
    wave = torch.sin((t - onset[:, None]).float() * 0.7) * after
    noise = 0.25 * torch.randn(n, length, generator=gen)
    return (wave + noise).unsqueeze(1), onset


class ActivationAudit:
    """Follows the strongest response of chosen layers over the whole run."""

    def __init__(self, limit=6.0):
        self.limit = limit
        self.peaks = {}
        self._handles = []

    def watch(self, model, kinds=(nn.Conv1d,)):
        for name, module in model.named_children():
            if isinstance(module, kinds):
                self.peaks[name] = []
                self._handles.append(module.register_forward_hook(self._recorder(name)))
        return self

    def _recorder(self, name):
        series = self.peaks[name]

        def hook(module, args, output):
            if module.training:
                series.append(output.abs().amax(dim=(0, 2)))  # <- culprit
        return hook

    def saturated(self):
        found = {}
        with torch.no_grad():
            for name, series in self.peaks.items():
                recent = torch.stack(series[-20:]).mean(0)
                found[name] = int((recent > self.limit).sum())
        return found

    def close(self):
        for handle in self._handles:
            handle.remove()
        self._handles.clear()


class Picker(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 7, padding=3)
        self.mid = nn.Conv1d(width, width, 5, padding=2)
        self.deep = nn.Conv1d(width, width, 5, padding=4, dilation=2)
        self.pick = nn.Linear(width, 1)

    def forward(self, trace):
        h = F.gelu(self.stem(trace))
        h = h + F.gelu(self.mid(h))
        h = h + F.gelu(self.deep(h))
        return self.pick(h.transpose(1, 2)).squeeze(-1)


@torch.no_grad()
def sample_error(model, gen, length):
    model.eval()
    trace, onset = make_trace(64, length, gen)
    err = (model(trace).argmax(-1) - onset).abs().float().median().item()
    model.train()
    return err


def main(steps=140, length=96, batch=16):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(1)
    model = Picker()
    audit = ActivationAudit().watch(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for step in range(steps):
        trace, onset = make_trace(batch, length, gen)
        loss = F.cross_entropy(model(trace), onset)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 35 == 34:
            print(f"{step + 1:4d} loss {loss.item():.3f} median error {sample_error(model, gen, length):.1f}"
                  f" saturated {audit.saturated()}")
    audit.close()


if __name__ == "__main__":
    main()
