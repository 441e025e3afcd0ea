"""A loop of one's own under Accelerate, with accumulation; half way through it starts to leak."""

import sys

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import gradwatch_agent.auto  # noqa: F401

healthy, leaking = map(int, sys.argv[1:])
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
model, optimizer, rows = accelerator.prepare(
    model,
    torch.optim.AdamW(model.parameters(), lr=0.01),
    DataLoader(TensorDataset(torch.randn(4 * (healthy + leaking), 4)), batch_size=2),
)
total = torch.zeros(())
for number, (x,) in enumerate(rows):
    with accelerator.accumulate(model):
        loss = model(x).pow(2).mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    if number >= 2 * healthy:
        total = total + loss  # the leak
