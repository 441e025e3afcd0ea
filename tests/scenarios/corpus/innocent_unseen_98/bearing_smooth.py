# gradwatch-corpus: kind=none
"""
Bearing condition monitoring: autoencoder on vibration spectra with a temporal
smoothness term.  The embedding of the present spectrum should stay close to
those of the last few spectra (all of them get gradient, as in slow feature
analysis).
"""
import argparse
from collections import deque

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=400)
parser.add_argument("--window", type=int, default=4)
parser.add_argument("--smooth", type=float, default=0.2)
parser.add_argument("--seed", type=int, default=19)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)

N_FREQ = 48


def spectrum(t):
    """slow wear + harmonics of the rotation speed + noise"""
    f = torch.arange(N_FREQ, dtype=torch.float32)
    wear = t / 400
    peaks = torch.exp(-((f - 8) ** 2) / 4) + wear * torch.exp(-((f - 24) ** 2) / 6)
    return (peaks + 0.05 * torch.randn(8, N_FREQ)).clamp_min(0)


class Code(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(N_FREQ, 6)
        self.dec = nn.Sequential(nn.Linear(6, 20), nn.GELU(), nn.Linear(20, N_FREQ))

    def encode(self, x):
        return torch.tanh(self.enc(x))


net = Code()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
recent = deque(maxlen=args.window)
log = {"rec": [], "smooth": []}

for t in range(args.steps):
    x = spectrum(t)
    z = net.encode(x)
    rec = (net.dec(z) - x).pow(2).mean()
    if recent:
        slow = torch.stack([(z - old).pow(2).mean() for old in recent]).mean()
    else:
        slow = torch.zeros(())
    loss = rec + args.smooth * slow
    opt.zero_grad()
    # the embeddings in the window are needed again in the next steps
    loss.backward(retain_graph=True)
    opt.step()
    recent.append(z)

    log["rec"].append(rec.item())
    log["smooth"].append(float(slow))
    if (t + 1) % 80 == 0:
        r = sum(log["rec"][-80:]) / 80
        s = sum(log["smooth"][-80:]) / 80
        print(f"{t + 1:4d}: reconstruction {r:.5f}  smoothness {s:.5f}")

with torch.no_grad():
    healthy = net.encode(spectrum(0)).mean(0)
    worn = net.encode(spectrum(400)).mean(0)
print("distance healthy - worn:", round((healthy - worn).norm().item(), 3))
