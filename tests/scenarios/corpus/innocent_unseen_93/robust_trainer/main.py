# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from probe import Probe
from retry import Retrier, Unstable

torch.set_num_threads(1)
torch.manual_seed(64)


class ECG(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Conv1d(1, 8, 5, stride=2, padding=2)
        self.mid = nn.Conv1d(8, 16, 5, stride=2, padding=2)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        x = torch.relu(self.front(x))
        x = torch.relu(self.mid(x))
        return self.head(x.mean(-1))


def beats(n):
    t = torch.linspace(0, 1, 40)
    kind = torch.randint(4, (n,))
    freq = torch.tensor([2.0, 3.0, 5.0, 7.0])[kind][:, None]
    x = torch.sin(6.28 * freq * t + torch.rand(n, 1) * 6.28) + 0.4 * torch.randn(n, 40)
    if torch.rand(()) < 0.2:                       # electrode off
        x[torch.randint(n, (1,))] *= 40 + 40 * torch.rand(())
    return x[:, None], kind


def attempt(net, probe, batch, scale):
    x, y = batch
    loss = nn.functional.cross_entropy(net(x * scale), y)
    peak = probe["front"].abs().amax()
    if peak > 12:
        raise Unstable("front activations too large", peak, loss)
    activity = probe["mid"].pow(2).mean()
    return loss + 0.01 * activity


net = ECG()
probe = Probe(net, ["front", "mid"])
retrier = Retrier(times=3)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
skipped = 0
for it in range(1, 441):
    loss = retrier(lambda scale: attempt(net, probe, beats(16), scale), scales=(1.0, 0.7, 0.5))
    if loss is None:
        skipped += 1
        continue
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 80 == 0:
        why = retrier.last_error
        print(f"{it} loss {loss.item():.3f} retries {retrier.retries} skipped {skipped} "
              f"last peak {why.peak.item() if why else 0:.1f} | "
              + ", ".join(f"{k} {v.std().item():.2f}" for k, v in probe.items()))
