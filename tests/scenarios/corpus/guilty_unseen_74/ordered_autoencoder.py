# gradwatch-corpus: kind=inplace-modified
# holder: code | z | loss | recon
# first-bad: 30
# notice: 0
# Autoencoder with an ordered code: after a warm-up the last units are switched off
# at random, so the first ones have to learn the most important things.
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(17)

CODE = 8
WARMUP = 30
STEPS = 120


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(64, 32)
        self.l2 = nn.Linear(32, CODE)

    def forward(self, x):
        x = torch.relu(self.l1(x))
        return torch.sigmoid(self.l2(x))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(CODE, 32)
        self.l2 = nn.Linear(32, 64)

    def forward(self, z):
        z = torch.relu(self.l1(z))
        return torch.sigmoid(self.l2(z))


def blobs(n):
    """8 x 8 pictures with one soft blob each."""
    g = torch.arange(8).float()
    cx = torch.rand(n, 1, 1) * 7
    cy = torch.rand(n, 1, 1) * 7
    width = 1 + 2 * torch.rand(n, 1, 1)
    d = (g.view(1, 1, 8) - cx) ** 2 + (g.view(1, 8, 1) - cy) ** 2
    return torch.exp(-d / width).view(n, 64)


def switch_off(z, step):
    if step < WARMUP:
        return z
    keep = int(torch.randint(1, CODE, (1,)))
    z[:, keep:] = 0  # <- culprit
    return z


encoder = Encoder()
decoder = Decoder()
optimizer = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=0.005)
loss_fn = nn.MSELoss()
test = blobs(64)
losses = []

for step in range(STEPS):
    x = blobs(48)
    optimizer.zero_grad()
    code = encoder(x)
    code = switch_off(code, step)  # <- culprit
    recon = decoder(code)
    loss = loss_fn(recon, x)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if step % 10 == 0:
        print("step", step, "loss", losses[-1])

with torch.no_grad():
    code = encoder(test)
    for keep in range(1, CODE + 1):
        part = code.clone()
        part[:, keep:] = 0
        print("first", keep, "units: error", loss_fn(decoder(part), test).item())
