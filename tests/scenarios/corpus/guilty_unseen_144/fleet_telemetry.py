# gradwatch-corpus: kind=graph-held
# holder: self._memo | gateway._memo
# first-bad: 1
# notice: 8
import asyncio
from typing import Dict, Tuple

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(404)
rng = torch.Generator().manual_seed(5)


class FeatureGateway:
    """Serves device embeddings; requests for the same device and model revision share one computation."""

    def __init__(self, encoder: nn.Module):
        self.encoder = encoder
        self.revision = 0
        self.hits = 0
        self._memo: Dict[Tuple[int, int], torch.Tensor] = {}

    async def embed(self, device: int, window: torch.Tensor) -> torch.Tensor:
        key = (device, self.revision)
        if key in self._memo:
            self.hits += 1
            return self._memo[key]
        await asyncio.sleep(0)
        vec = self.encoder(window)
        self._memo[key] = vec  # <- culprit
        return vec


class WindowEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 10, batch_first=True, nonlinearity="relu")
        self.mix = nn.Linear(10, 8)

    def forward(self, w):
        _, h = self.rnn(w.unsqueeze(0))
        return torch.tanh(self.mix(h[-1, 0]))


async def poll(n_devices):
    devs = torch.randint(0, n_devices, (6,), generator=rng).tolist()
    base = {d: torch.randn(7, 3, generator=rng) + 0.2 * d for d in set(devs)}
    await asyncio.sleep(0)
    return devs, base


async def train(rounds):
    enc = WindowEncoder()
    wear = nn.Linear(8, 1)
    gateway = FeatureGateway(enc)
    optim = torch.optim.RMSprop([*enc.parameters(), *wear.parameters()], lr=2e-3)
    for r in range(rounds):
        devs, windows = await poll(9)
        vecs = await asyncio.gather(*(gateway.embed(d, windows[d]) for d in devs))
        target = torch.tensor([windows[d].mean().item() for d in devs])
        loss = nn.functional.huber_loss(wear(torch.stack(vecs)).squeeze(1), target)
        optim.zero_grad()
        loss.backward()
        optim.step()
        gateway.revision += 1
        if r % 75 == 0:
            print(f"round {r} huber {loss.item():.4f}")


asyncio.run(train(300))
