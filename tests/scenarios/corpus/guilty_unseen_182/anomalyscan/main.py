# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Autoencoder anomaly detection on simulated bearing vibration windows."""
import torch

from scan.loop import fit
from scan.model import WindowAE
from scan.vibration import windows


def main():
    torch.manual_seed(70)
    healthy = windows(900, fault=False)
    faulty = windows(100, fault=True)
    net = WindowAE(64, 8)
    fit(net, healthy, epochs=18, batch=30)
    with torch.no_grad():
        base = net.score(healthy[-100:])
        bad = net.score(faulty)
    auc = (bad[:, None] > base[None, :]).float().mean()
    print(f"AUC {auc:.3f}")


if __name__ == "__main__":
    main()
