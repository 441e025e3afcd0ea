# gradwatch-corpus: kind=inplace-modified
# holder: w
# first-bad: 40
# notice: 0
"""Crop yield from satellite time series, mixture of regional experts.

The gate is plain softmax at first and is sharpened (temperature < 1) after a
warm-up, so that each field ends up with one or two experts.
"""
import torch

from moe import MixtureOfExperts
from schedule import TemperatureSchedule
from yields import sample_fields


def train(steps=300):
    torch.manual_seed(8)
    torch.set_num_threads(1)
    model = MixtureOfExperts(n_feat=14, n_experts=4)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    temp = TemperatureSchedule(warmup=40, floor=0.3, rate=0.99)
    for step in range(steps):
        ndvi, tons = sample_fields(32)
        pred, usage = model(ndvi, temp.at(step))
        loss = torch.nn.functional.huber_loss(pred, tons)
        loss = loss + 0.01 * (usage * usage.clamp_min(1e-6).log()).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, f"{loss.item():.4f}", [round(u, 2) for u in usage.tolist()])


if __name__ == "__main__":
    train()
