# gradwatch-corpus: kind=none
"""Contact prediction with recycling, a custom symmetriser and per-layer gradient taps."""
import contextlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Function
from torch.autograd.graph import saved_tensors_hooks

torch.set_num_threads(1)


class APC(Function):
    """Symmetrise and remove the average product; linearised around the current means."""

    @staticmethod
    def forward(ctx, m):
        m = 0.5 * (m + m.transpose(1, 2))
        row = m.mean(2, keepdim=True)
        total = m.mean((1, 2), keepdim=True)
        scale = row.transpose(1, 2) / (total.abs() + 1.0)
        ctx.save_for_backward(scale)
        return m - row * scale

    @staticmethod
    def backward(ctx, g):
        (scale,) = ctx.saved_tensors
        gm = g - (g * scale).mean(2, keepdim=True)
        return 0.5 * (gm + gm.transpose(1, 2))


class Tap:
    """Collects outputs of chosen modules and the gradient norm that reaches each of them."""

    def __init__(self, net, names):
        self.outputs, self.norms, self.handles = {}, {}, []
        for name in names:
            module = net.get_submodule(name)
            self.handles.append(module.register_forward_hook(self._forward(name)))

    def _forward(self, name):
        def hook(module, args, out):
            if out.requires_grad:
                self.outputs[name] = out
                out.register_hook(lambda g: self.norms.__setitem__(name, g.norm().item()))
        return hook

    def decorrelation(self):
        return sum(o.mean().square() for o in self.outputs.values())

    def clear(self):
        self.outputs.clear()

    def close(self):
        for h in self.handles:
            h.remove()


class RecycleNet(nn.Module):
    def __init__(self, kinds=8, width=10):
        super().__init__()
        self.embed = nn.Linear(kinds, width)
        self.mix = nn.Conv2d(2 * width + 1, width, 3, padding=1)
        self.head = nn.Conv2d(width, 1, 1)

    def once(self, profile, previous):
        h = self.embed(profile)
        n = h.shape[1]
        left = h.unsqueeze(2).expand(-1, -1, n, -1)
        pair = torch.cat([left, left.transpose(1, 2), previous.unsqueeze(-1)], -1).permute(0, 3, 1, 2)
        return APC.apply(self.head(F.relu(self.mix(pair))).squeeze(1))

    def forward(self, profile, rounds):
        b, n, _ = profile.shape
        previous = profile.new_zeros(b, n, n)
        for k in range(rounds):
            guard = contextlib.nullcontext() if k == rounds - 1 else torch.no_grad()
            with guard:
                previous = self.once(profile, previous)
        return previous


class Warm:
    """The map of the last batch with the same length, as a prior for the next."""

    def __init__(self):
        self.maps = {}

    def mix(self, logits):
        n = logits.shape[-1]
        old = self.maps.get(n)
        self.maps[n] = torch.sigmoid(logits.detach()).mean(0)
        return logits.new_zeros(()) if old is None else F.mse_loss(torch.sigmoid(logits).mean(0), old)


def pack(t):
    return t.to(torch.bfloat16) if t.dtype == torch.float32 and t.dim() == 4 else t


def unpack(t):
    return t.float() if t.dtype == torch.bfloat16 else t


def chains(gen, affinity, lengths=(12, 14, 16, 18)):
    while True:
        n = lengths[torch.randint(len(lengths), (1,), generator=gen).item()]
        seq = torch.randint(8, (4, n), generator=gen)
        contact = (affinity[seq[:, :, None], seq[:, None, :]] > 0.8).float()
        yield F.one_hot(seq, 8).float(), contact


def main(steps=180):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(14)
    a = torch.randn(8, 8, generator=gen)
    net, warm = RecycleNet(), Warm()
    tap = Tap(net, ["embed", "mix"])
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step, (profile, contact) in zip(range(steps), chains(gen, a + a.T)):
        rounds = 1 + step % 3
        with saved_tensors_hooks(pack, unpack):
            logits = net(profile, rounds)
            loss = F.binary_cross_entropy_with_logits(logits, contact)
        loss = loss + 1e-3 * tap.decorrelation() + 0.05 * warm.mix(logits)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tap.clear()
        if step % 30 == 0:
            print(f"step {step:3d} rounds {rounds} loss {loss.item():.4f} tap {tap.norms['mix']:.4f}")
    tap.close()


if __name__ == "__main__":
    main()
