import torch
from torch import nn

from .losses import LOSSES

RECIPE = {"softmax": 1.0, "compact": 0.05}


class Embedder(nn.Module):
    def __init__(self, mels, dim):
        super().__init__()
        self.proj = nn.Linear(mels, dim)

    def forward(self, frames):
        return torch.tanh(self.proj(frames.mean(dim=1)))


def utterances(speakers, mels, batch, gen):
    voice = torch.randn(speakers, mels, generator=gen)
    while True:
        ids = torch.randint(speakers, (batch,), generator=gen)
        frames = voice[ids].unsqueeze(1) + torch.randn(batch, 10, mels, generator=gen)
        yield frames, ids


def run(steps, speakers=6, mels=20, dim=12, batch=16):
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    net = Embedder(mels, dim)
    criteria = nn.ModuleDict({name: LOSSES[name](dim, speakers) for name in RECIPE})
    optim = torch.optim.Adam([*net.parameters(), *criteria.parameters()], lr=5e-3)
    for step, (frames, ids) in zip(range(steps), utterances(speakers, mels, batch, gen)):
        emb = net(frames)
        values = {name: criteria[name](emb, ids) for name in RECIPE}
        total = sum(RECIPE[name] * value for name, value in values.items())
        optim.zero_grad()
        total.backward(retain_graph=True)
        optim.step()
        if step % 80 == 0:
            print(step, {name: round(value.item(), 4) for name, value in values.items()})
