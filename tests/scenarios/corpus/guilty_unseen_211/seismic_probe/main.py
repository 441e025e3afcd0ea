# gradwatch-corpus: kind=graph-held
# holder: self.taps | self.taps[name] | self.probe.taps | trainer.probe.taps
# first-bad: 1
import torch
from torch import nn

from nets import PhasePicker
from probes import ActivationProbe
from synth import waveforms


class Trainer:
    def __init__(self, steps=110):
        self.steps = steps
        self.net = PhasePicker(channels=3, width=16)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3)
        self.probe = ActivationProbe(self.net, ["enc.2", "enc.5"])
        self.stats = []

    def step(self, x, onset):
        logits = self.net(x)
        loss = nn.functional.cross_entropy(logits, onset)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self):
        for it, (x, onset) in enumerate(waveforms(self.steps)):
            loss = self.step(x, onset)
            row = self.probe.summary()
            row["loss"] = loss
            self.stats.append(row)
            self.probe.reset()
            if it % 20 == 0:
                print(f"{it:4d} loss {loss:.3f} rms {row['enc.2']:.3f}")


if __name__ == "__main__":
    torch.manual_seed(14)
    trainer = Trainer()
    trainer.run()
    trainer.probe.close()
    print("final", sum(r["loss"] for r in trainer.stats[-10:]) / 10)
