# gradwatch-corpus: kind=graph-chain
# holder: self.centers | self.bank.centers | bank.centers | detector.bank.centers | model.bank.centers
# first-bad: 1
# notice: 5
"""Semi-supervised regime detector for weather-station readings."""
import torch

from data import StationStream
from detector import RegimeDetector, detector_loss

STEPS = 320


def evaluate(model, stream):
    with torch.no_grad():
        x, regime = stream.batch(256)
        pred = model.nearest(model.embed(x))
    return (pred == regime).float().mean().item()


def main():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    stream = StationStream(n_regimes=4, n_sensors=9)
    model = RegimeDetector(n_sensors=9, dim=12, n_regimes=4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)

    for step in range(STEPS):
        x, regime = stream.batch(40)
        z = model.embed(x)
        parts = detector_loss(model, z, x, regime)
        model.bank.absorb(z, regime)

        optimizer.zero_grad()
        # compactness and reconstruction both run over the same embedding
        parts["recon"].backward(retain_graph=True)
        parts["compact"].backward(retain_graph=True)
        optimizer.step()

        if step % 80 == 0:
            acc = evaluate(model, stream)
            print(f"{step:4d} recon {parts['recon'].item():.4f} "
                  f"compact {parts['compact'].item():.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
