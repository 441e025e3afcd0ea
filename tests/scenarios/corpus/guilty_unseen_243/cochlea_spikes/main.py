# gradwatch-corpus: kind=graph-chain
# holder: self.membrane | self.fatigue | nerve.bank.membrane | nerve.bank.fatigue
# first-bad: 1
"""Auditory nerve fibres that learn to phase-lock to a chirp (port of a two-state adaptive LIF paper)."""
import torch

from chirps import ChirpBooth
from fibres import FIBRES
from rules import SignedMomentum

CONFIG = {
    "fibre": "adaptive_lif",
    "channels": 24,
    "fibres": 40,
    "tau_membrane": 0.82,
    "tau_fatigue": 0.93,
    "lr": 3e-3,
    "ticks": 110,
}


class AuditoryNerve(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        fibre_cls = FIBRES[config["fibre"]]
        self.bank = fibre_cls(
            config["channels"],
            config["fibres"],
            config["tau_membrane"],
            config["tau_fatigue"],
        )
        self.locker = torch.nn.Linear(config["fibres"], 2)

    def forward(self, cochleagram):
        rate = self.bank(cochleagram)
        return self.locker(rate)


def main():
    torch.manual_seed(11)
    booth = ChirpBooth(CONFIG["channels"], listeners=6)
    nerve = AuditoryNerve(CONFIG)
    rule = SignedMomentum(nerve.parameters(), lr=CONFIG["lr"])
    nerve.bank.silence(6)
    for tick in range(CONFIG["ticks"]):
        cochleagram, phase = booth.listen()
        guess = nerve(cochleagram)
        misfit = torch.nn.functional.mse_loss(guess, phase)
        rule.zero_grad()
        misfit.backward()
        rule.step()
        if tick % 20 == 0:
            print(f"tick {tick:4d}  phase misfit {misfit.item():.4f}")


if __name__ == "__main__":
    main()
