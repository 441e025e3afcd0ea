import torch
from torch import nn


def linear_probe(encoder, bank, steps=60):
    encoder.eval()
    with torch.no_grad():
        x, y = bank.labelled(300)
        z = encoder(x)
        xt, yt = bank.labelled(200)
        zt = encoder(xt)
    head = nn.Linear(z.size(1), bank.species)
    opt = torch.optim.Adam(head.parameters(), lr=0.05)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(head(z), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        return (head(zt).argmax(1) == yt).float().mean().item()
