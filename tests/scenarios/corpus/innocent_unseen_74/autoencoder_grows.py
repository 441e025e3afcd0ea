# gradwatch-corpus: kind=none
# Stacked autoencoder for small digits: one more layer every 60 steps,
# gradients gathered over three small batches.
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(12)
torch.set_num_threads(1)

patterns = torch.tensor([
    [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0],
    [0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0],
    [1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1],
    [1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0],
    [1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0],
]).float()


def batch(n=24):
    which = torch.randint(0, 5, (n,))
    clean = patterns[which]
    return clean + 0.2 * torch.randn(n, 16), clean


sizes = [12, 8, 5]
encoders = nn.ModuleList([nn.Linear(16, sizes[0])])
decoders = nn.ModuleList([nn.Linear(sizes[0], 16)])
optimizer = torch.optim.Adam(list(encoders.parameters()) + list(decoders.parameters()), lr=0.01)

recent_codes = deque(maxlen=10)
window = deque(maxlen=4)
prev_loss = None
worse = 0


def forward(x):
    for e in encoders:
        x = torch.tanh(e(x))
    code = x
    for d in list(decoders)[::-1][:-1]:
        x = torch.tanh(d(x))
    return decoders[0](x), code


for step in range(200):
    # grow
    if step in (60, 120):
        a, b = sizes[len(encoders) - 1], sizes[len(encoders)]
        encoders.append(nn.Linear(a, b))
        decoders.append(nn.Linear(b, a))
        optimizer = torch.optim.Adam(list(encoders.parameters()) + list(decoders.parameters()), lr=0.01)
        recent_codes.clear()
        print("now", len(encoders), "layers")

    optimizer.zero_grad()
    window.clear()

    # first small batch
    noisy, clean = batch()
    out, code = forward(noisy)
    loss_a = F.mse_loss(out, clean)
    window.append(code.mean(0))

    # second small batch
    noisy, clean = batch()
    out, code = forward(noisy)
    loss_b = F.mse_loss(out, clean)
    window.append(code.mean(0))

    # third small batch
    noisy, clean = batch()
    out, code = forward(noisy)
    loss_c = F.mse_loss(out, clean)
    window.append(code.mean(0))

    # the codes of the three should have about the same mean
    means = torch.stack(list(window))
    spread = means.var(dim=0).mean()
    loss = (loss_a + loss_b + loss_c) / 3 + 0.1 * spread
    loss.backward()
    optimizer.step()

    recent_codes.append(code.detach())
    if prev_loss is not None and loss > prev_loss:
        worse += 1
    prev_loss = loss

    if step % 20 == 0:
        spread_now = torch.cat(list(recent_codes)).std().item()
        print("step", step, "loss %.4f" % loss.item(), "code std %.3f" % spread_now)

print("went up", worse, "times of 200")
with torch.no_grad():
    out, code = forward(patterns)
    print("final error", F.mse_loss(out, patterns).item())
