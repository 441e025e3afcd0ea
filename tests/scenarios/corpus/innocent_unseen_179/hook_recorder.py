# gradwatch-corpus: kind=none
"""Small ConvMixer on textures; activations are recorded on inspection rounds."""
import contextlib

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(127)


class Mixer(nn.Module):
    def __init__(self, dim=8, depth=2, classes=4):
        super().__init__()
        self.patch = nn.Conv2d(1, dim, 4, stride=4)
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(nn.ModuleDict({
                "space": nn.Conv2d(dim, dim, 3, padding=1, groups=dim),
                "channel": nn.Conv2d(dim, dim, 1),
            }))
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = F.gelu(self.patch(x))
        for block in self.blocks:
            x = x + F.gelu(block["space"](x))
            x = F.gelu(block["channel"](x))
        return self.head(x.mean((2, 3)))


class Recording:
    def __init__(self, tag):
        self.tag = tag
        self.outputs = {}
        self.grad_norms = {}

    def forward_hook(self, name):
        outputs, norms = self.outputs, self.grad_norms

        def hook(module, args, output):
            outputs[name] = output
            output.register_hook(lambda g: norms.__setitem__(name, g.norm().item()))
        return hook

    def summary(self):
        return {n.split(".")[-1] + n[7:8]: (round(o.detach().std().item(), 3), round(self.grad_norms.get(n, 0.0), 4))
                for n, o in self.outputs.items()}


@contextlib.contextmanager
def recording(model, tag):
    record = Recording(tag)
    with contextlib.ExitStack() as stack:
        for name, module in model.named_modules():
            if isinstance(module, nn.Conv2d):
                handle = module.register_forward_hook(record.forward_hook(name))
                stack.callback(handle.remove)
        yield record


def textures(batch=8, side=16):
    label = torch.randint(0, 4, (batch,))
    axis = torch.linspace(0, 3.14 * 4, side)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    bank = torch.stack([yy.sin(), xx.sin(), (xx + yy).sin(), xx.sin() * yy.sin()])
    return bank[label].unsqueeze(1) + 0.5 * torch.randn(batch, 1, side, side), label


def train_round(model, optimizer):
    x, y = textures()
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def main():
    model = Mixer()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    shown = [None, None]
    for step in range(480):
        if step % 10:
            loss = train_round(model, optimizer)
            continue
        with recording(model, step) as record:
            loss = train_round(model, optimizer)
        shown[step // 10 % 2] = record
        if step % 60 == 0:
            other = shown[1 - step // 10 % 2]
            print(step, f"{loss.item():.4f}", record.summary(), "after", other and other.tag)


if __name__ == "__main__":
    main()
