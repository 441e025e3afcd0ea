# gradwatch-corpus: kind=none
from itertools import islice

import torch
import torch.nn.functional as F

from buffers import PingPong
from plasma import CurrentToField, shots

COILS, PROBES = 10, 18


def describe(residuals):
    rms = torch.stack([r.detach().pow(2).mean().sqrt() for r in residuals])
    worst = max(residuals, key=lambda r: float(r.detach().abs().max()))
    return f"rms {rms.mean():.4f} worst probe {int(worst.detach().abs().mean(0).argmax())}"


def main():
    torch.manual_seed(66)
    model = CurrentToField(COILS, PROBES)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=40, factor=0.7)
    residuals = PingPong(size=30)

    for shot, (currents, slopes, field) in enumerate(islice(shots(COILS, PROBES, 32, 2), 510)):
        predicted = model(currents, slopes)
        residual = field - predicted
        loss = F.huber_loss(predicted, field, delta=0.5)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        plateau.step(loss.item())

        residuals.write(residual)
        ready = residuals.read()
        if ready and shot % 60 == 59:
            print(f"shot {shot + 1}: loss {loss.item():.5f} " + describe(ready))


if __name__ == "__main__":
    main()
