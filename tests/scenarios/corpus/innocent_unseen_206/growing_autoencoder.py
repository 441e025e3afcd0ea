# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.enc = nn.Linear(dim, dim)
        self.dec = nn.Linear(dim, dim)
        self.fade = 0.0


class GrowingAE(nn.Module):
    """Starts with one block, gains another every `every` steps until `limit`."""

    def __init__(self, inp=32, dim=20, code=6, limit=5):
        super().__init__()
        self.inp, self.outp = nn.Linear(inp, dim), nn.Linear(dim, inp)
        self.to_code, self.from_code = nn.Linear(dim, code), nn.Linear(code, dim)
        self.blocks = nn.ModuleList([Block(dim)])
        self.blocks[0].fade = 1.0
        self.limit, self.dim = limit, dim

    def grow(self):
        if len(self.blocks) >= self.limit:
            return None
        block = Block(self.dim)
        self.blocks.append(block)
        return block

    def forward(self, x):
        h = torch.tanh(self.inp(x))
        for b in self.blocks:
            h = h + b.fade * torch.tanh(b.enc(h))
        z = self.to_code(h)
        h = torch.tanh(self.from_code(z))
        for b in reversed(self.blocks):
            h = h + b.fade * torch.tanh(b.dec(h))
        return self.outp(h), z

    def fade_in(self, amount):
        for b in self.blocks:
            b.fade = min(1.0, b.fade + amount)


class StageLog:
    def __init__(self):
        self.stages = [[]]
        self.codes = []

    def step(self, value):
        self.stages[-1].append(value)

    def next_stage(self, codes):
        self.stages.append([])
        self.codes.append(codes)


def vibration(n, gen):
    t = torch.linspace(0, 1, 32)
    f = 1 + 4 * torch.rand(n, 2, 1, generator=gen)
    p = 6.28 * torch.rand(n, 2, 1, generator=gen)
    return torch.sin(6.28 * f * t + p).sum(1)


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(3)
    model = GrowingAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    probe = vibration(64, gen)
    log = StageLog()
    for step in range(1, 541):
        x = vibration(48, gen)
        recon, z = model(x)
        loss = F.mse_loss(recon, x) + 1e-3 * z.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.fade_in(0.05)
        log.step(loss.item())
        if step % 20 == 0:
            block = model.grow()
            if block is not None:
                opt.add_param_group({"params": block.parameters(), "lr": 1e-3})
                with torch.no_grad():
                    log.next_stage(model(probe)[1])
    for i, stage in enumerate(log.stages):
        print(f"stage {i}: {len(stage)} steps, {stage[0]:.4f} -> {stage[-1]:.4f}")
    print("code movement", [f"{(b - a).norm():.2f}" for a, b in zip(log.codes, log.codes[1:])])


if __name__ == "__main__":
    main()
