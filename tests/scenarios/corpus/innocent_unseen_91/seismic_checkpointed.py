# gradwatch-corpus: kind=none
# Seismic phase picker: residual 1-D convnet, activation checkpointing, gradient
# accumulation and forward hooks that keep running activation statistics.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

LENGTH, ACCUM, UPDATES_PER_EPOCH, EPOCHS = 40, 2, 60, 5


class Block(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.norm = nn.GroupNorm(2, ch)
        self.conv1 = nn.Conv1d(ch, ch, 3, padding=dilation, dilation=dilation)
        self.conv2 = nn.Conv1d(ch, ch, 1)

    def forward(self, x):
        return x + self.conv2(F.gelu(self.conv1(self.norm(x))))


class Picker(nn.Module):
    def __init__(self, ch=8, use_checkpoint=True):
        super().__init__()
        self.stem = nn.Conv1d(1, ch, 5, padding=2)
        self.blocks = nn.ModuleList(Block(ch, d) for d in (1, 3))
        self.head = nn.Conv1d(ch, 3, 1)
        self.use_checkpoint = use_checkpoint

    def forward(self, x):
        x = self.stem(x)
        for blk in self.blocks:
            if self.use_checkpoint and self.training:
                x = checkpoint(blk, x, use_reentrant=False)
            else:
                x = blk(x)
        return self.head(x)


class ActivationStats:
    """Welford-free running mean / std and dead fraction for each named layer."""

    def __init__(self, model, kinds=(Block,), momentum=0.05):
        self.momentum = momentum
        self.stats, self.grad_norms = {}, {}
        self.handles = []
        for name, m in model.named_modules():
            if isinstance(m, kinds):
                self.handles.append(m.register_forward_hook(self._forward(name)))
                self.handles.append(m.register_full_backward_hook(self._backward(name)))

    def _forward(self, name):
        def hook(module, args, out):
            if not module.training:
                return
            o = out.detach()
            new = torch.stack([o.mean(), o.std(), (o.abs() < 1e-3).float().mean()])
            old = self.stats.get(name, new)
            self.stats[name] = torch.lerp(old, new, self.momentum)
        return hook

    def _backward(self, name):
        def hook(module, grad_in, grad_out):
            self.grad_norms.setdefault(name, []).append(grad_out[0].norm().item())
        return hook

    def report(self):
        for name, (m, s, dead) in ((k, v.tolist()) for k, v in self.stats.items()):
            g = self.grad_norms.get(name, [0.0])
            print(f"    {name:16s} mean {m:+.3f} std {s:.3f} dead {dead:.3f} grad {sum(g) / len(g):.4f}")
        self.grad_norms.clear()

    def close(self):
        for h in self.handles:
            h.remove()


def traces(n):
    """Label 0 noise, 1 after the P arrival, 2 after the S arrival."""
    t = torch.arange(LENGTH).float()
    p = torch.randint(8, 20, (n, 1)).float()
    s = p + torch.randint(8, 18, (n, 1)).float()
    wave = 0.15 * torch.randn(n, LENGTH)
    wave += (t >= p) * torch.sin(0.9 * (t - p)) * 0.6 + (t >= s) * torch.sin(0.5 * (t - s)) * 1.4
    label = (t >= p).long() + (t >= s).long()
    return wave.unsqueeze(1), label


def main():
    torch.manual_seed(404)
    torch.set_num_threads(1)
    model = Picker()
    probe = ActivationStats(model)
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for epoch in range(EPOCHS):
        model.train()
        total = torch.zeros(())
        for _ in range(UPDATES_PER_EPOCH):
            opt.zero_grad(set_to_none=True)
            for _ in range(ACCUM):
                x, y = traces(4)
                loss = F.cross_entropy(model(x), y) / ACCUM
                loss.backward()
                total += loss.detach()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        model.eval()
        with torch.no_grad():
            x, y = traces(64)
            acc = (model(x).argmax(1) == y).float().mean()
        print(f"epoch {epoch} loss {total.item() / UPDATES_PER_EPOCH:.4f} acc {acc:.3f}")
        if epoch in (0, EPOCHS - 1):
            probe.report()
    probe.close()


if __name__ == "__main__":
    main()
