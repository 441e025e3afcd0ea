# gradwatch-corpus: kind=none
"""Dose response differs from clinic to clinic: learn a start from which two steps suffice."""
import torch

from .clinics import Clinic
from .inner import adapt, init, predict

torch.set_num_threads(1)
torch.manual_seed(55)


def main(rounds=80, per_round=3):
    weights = init(hidden=16)
    opt = torch.optim.Adam(weights, lr=4e-3)
    before_after = []
    for r in range(rounds):
        opt.zero_grad()
        outer = []
        for _ in range(per_round):
            clinic = Clinic()
            x, y = clinic.patients(10)
            qx, qy = clinic.patients(10)
            fast = adapt(weights, x, y, steps=2, rate=0.05)
            outer.append((predict(fast, qx) - qy).pow(2).mean())
            with torch.no_grad():
                cold = (predict(weights, qx) - qy).pow(2).mean().item()
            before_after.append((cold, outer[-1].item()))
        torch.stack(outer).mean().backward()
        opt.step()
        if (r + 1) % 20 == 0:
            recent = before_after[-30:]
            cold, warm = (sum(v) / len(recent) for v in zip(*recent))
            print(f"round {r + 1}: error {cold:.3f} before, {warm:.3f} after adapting")


main()
