# gradwatch-corpus: kind=none
"""Deeply supervised depth regression; auxiliary losses are gathered through the context."""
import torch
import torch.nn as nn
import torch.nn.functional as F

import gather
from layers import RouterBlock

torch.set_num_threads(1)
torch.manual_seed(26)


class DepthNet(nn.Module):
    def __init__(self, inputs=10, width=24, depth=3):
        super().__init__()
        self.stem = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList(RouterBlock(width, experts=3) for _ in range(depth))
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.tanh(self.stem(x))
        for block in self.blocks:
            h = block(h)
        return self.head(h).squeeze(-1)


def scenes(n):
    x = torch.randn(n, 10)
    return x, x[:, 0].abs() + 0.5 * torch.sin(3 * x[:, 1])


def main():
    net = DepthNet()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    seen = []
    for step in range(100):
        x, y = scenes(40)
        with gather.aux_losses() as extra:
            main_loss = F.smooth_l1_loss(net(x), y)
        loss = main_loss + 0.01 * sum(extra.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen.append({name: value.item() for name, value in extra.items()})
        if step % 25 == 24:
            with torch.no_grad():
                quiet = F.smooth_l1_loss(net(x), y).item()
            print(f"step {step + 1} loss {loss.item():.4f} again {quiet:.4f} aux {len(seen[-1])}")


if __name__ == "__main__":
    main()
